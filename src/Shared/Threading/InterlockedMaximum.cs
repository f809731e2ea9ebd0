using System.Runtime.CompilerServices;

namespace PlayChat.Threading;

/// <summary>A maximum that many threads raise.</summary>
internal static class InterlockedMaximum
{
    /// <summary>Raises it to a value that is higher; otherwise only reads.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // each turn of a room raises one
    public static void Raise(ref long maximum, long value)
    {
        long seen = Volatile.Read(ref maximum);
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
