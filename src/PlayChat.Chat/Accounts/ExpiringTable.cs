namespace PlayChat.Chat.Accounts;

/// <summary>A bounded number of keys, each remembered until a time of its own. Thread-safe.</summary>
/// <remarks>When it is full, what has expired goes, and if that is not half of it, what would expire next.</remarks>
internal sealed class ExpiringTable<TKey>(int capacity, TimeProvider time)
    where TKey : notnull
{
    private readonly Dictionary<TKey, long> _expiry = []; // guarded by itself

    /// <summary>How long the key will still be remembered; 0 when it is not.</summary>
    public TimeSpan Remaining(TKey key) => Remaining(key, TimeSpan.MaxValue);

    /// <summary>The same, and lets the table forget a key sooner that it would remember for longer than a limit from now on.</summary>
    public TimeSpan Remaining(TKey key, TimeSpan max)
    {
        long now = time.GetTimestamp();
        lock (_expiry)
        {
            if (!_expiry.TryGetValue(key, out long expiry) || expiry <= now)
            {
                return TimeSpan.Zero;
            }

            TimeSpan remaining = time.GetElapsedTime(now, expiry);
            if (remaining <= max)
            {
                return remaining;
            }

            _expiry[key] = now + ToTicks(max);
            return max;
        }
    }

    /// <summary>Remembers the key for longer than so far, up to a limit from now on.</summary>
    public void Extend(TKey key, TimeSpan by, TimeSpan max)
    {
        long now = time.GetTimestamp();
        lock (_expiry)
        {
            bool isKnown = _expiry.TryGetValue(key, out long expiry);
            if (!isKnown && _expiry.Count >= capacity)
            {
                MakeRoom(now);
            }

            _expiry[key] = Math.Min(Math.Max(expiry, now) + ToTicks(by), now + ToTicks(max));
        }
    }

    public void Remove(TKey key)
    {
        lock (_expiry)
        {
            _expiry.Remove(key);
        }
    }

    // Half at once: sorting is paid by as many additions.
    private void MakeRoom(long now)
    {
        int surplus = (capacity + 1) / 2;
        foreach ((TKey key, long expiry) in _expiry.OrderBy(static entry => entry.Value).ToList())
        {
            if (surplus <= 0 && expiry > now)
            {
                break;
            }

            _expiry.Remove(key);
            surplus--;
        }
    }

    private long ToTicks(TimeSpan span) => (long)(span.TotalSeconds * time.TimestampFrequency);
}
