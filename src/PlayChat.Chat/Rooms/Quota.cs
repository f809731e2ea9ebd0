namespace PlayChat.Chat.Rooms;

/// <summary>A counter with a maximum, exact even when several threads take at once. Thread-safe.</summary>
/// <param name="max">Read for each one that is taken, so that it may change.</param>
internal sealed class Quota(Func<int> max)
{
    private int _taken;

    /// <summary>Takes one, if there is one left.</summary>
    public bool TryTake()
    {
        int taken = Volatile.Read(ref _taken);
        while (taken < max())
        {
            int seen = Interlocked.CompareExchange(ref _taken, taken + 1, taken);
            if (seen == taken)
            {
                return true;
            }

            taken = seen;
        }

        return false;
    }

    /// <summary>Takes one, also if there is none left.</summary>
    public void Take() => Interlocked.Increment(ref _taken);

    public void GiveBack() => Interlocked.Decrement(ref _taken);
}
