namespace PlayChat.Core.Dispatch;

/// <summary>A token bucket for each connection: it holds so many tokens, and fills in so much time.</summary>
/// <remarks>
/// A bucket is one number: when it will be full again. A token makes that later by its share of the time, and there is none when it would
/// be later than the whole time from now. So nothing fills buckets, and one that was never used is 0. Shares are whole numbers of units
/// that are finer than the clock's ticks, so that many tokens in little time are as many as were asked for. A limit that takes the place of
/// another one finds full buckets.
/// </remarks>
internal sealed class RateLimit
{
    private readonly Int128 _full; // this and the next in units; 128 bits, for a clock in nanoseconds leaves no room for a million of them
    private readonly long _token;
    private readonly int _units; // a tick has so many
    private readonly int _index;

    /// <param name="setting">What was asked for.</param>
    /// <param name="index">Which bucket of a connection it is.</param>
    /// <param name="frequency">Ticks a second.</param>
    internal RateLimit(RateLimitSetting setting, int index, long frequency)
    {
        _index = index;
        // A tick has as many units as there are tokens. So the share of one is, in units, what the whole time is in ticks.
        _units = setting.Count;
        _token = Math.Max(1, (long)Math.Round(setting.PerSeconds * frequency));
        _full = (Int128)_token * _units;
    }

    /// <summary>Takes a token.</summary>
    /// <param name="connection">Whose. On its receive loop.</param>
    /// <param name="limits">How many limits the router has.</param>
    /// <param name="now">In ticks.</param>
    /// <returns><see langword="false"/> when there is none.</returns>
    internal bool TryTake(Connection connection, int limits, long now)
    {
        if (connection.Get<RateState>() is not { } state)
        {
            connection.Set(state = new RateState(limits));
        }

        ref (RateLimit? Limit, Int128 FullAt) bucket = ref state.Buckets[_index];
        if (bucket.Limit != this)
        {
            bucket = (this, 0);
        }

        Int128 present = (Int128)now * _units;
        Int128 then = Int128.Max(bucket.FullAt, present) + _token;
        if (then - present > _full)
        {
            return false;
        }

        bucket.FullAt = then;
        return true;
    }
}
