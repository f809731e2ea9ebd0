namespace PlayChat.Storage;

/// <summary>A maximum that many threads raise.</summary>
internal static class InterlockedMaximum
{
    public static void Raise(ref long maximum, long value)
    {
        long seen = Interlocked.Read(ref maximum);
        while (value > seen)
        {
            long before = Interlocked.CompareExchange(ref maximum, value, seen);
            if (before == seen)
            {
                return;
            }
            seen = before;
        }
    }
}
