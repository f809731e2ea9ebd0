namespace PlayChat.Chat.Accounts;

/// <summary>
/// Limits how often each of a bounded number of keys does something: so many times at once, and as many in a window. Thread-safe.
/// </summary>
/// <remarks>
/// Each time is a debt of a share of the window, which time takes down. While the debt is higher than the window less one share, the key
/// has to wait; what has to wait raises nothing, so a key waits for one share at most.
/// </remarks>
/// <param name="window">The time in which the debt of a full burst ends.</param>
/// <param name="capacity">Keys that are remembered; those that count least are forgotten.</param>
/// <param name="time">The clock.</param>
internal sealed class RateTable<TKey>(TimeSpan window, int capacity, TimeProvider time)
    where TKey : notnull
{
    private readonly ExpiringTable<TKey> _debts = new(capacity, time);

    /// <summary>Counts once more, unless the key has to wait.</summary>
    /// <returns>How long the key has to wait; 0 when it has been counted.</returns>
    public TimeSpan Take(TKey key, int limit)
    {
        TimeSpan share = window / limit;
        TimeSpan wait = _debts.Remaining(key) - (window - share);
        if (wait > TimeSpan.Zero)
        {
            return wait;
        }

        _debts.Extend(key, share, window);
        return TimeSpan.Zero;
    }
}
