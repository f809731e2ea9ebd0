using PlayChat.Core.Connections;

namespace PlayChat.Core.Dispatch;

/// <summary>A token bucket for each connection: it holds so many tokens, and fills in so much time.</summary>
/// <remarks>
/// A bucket is one number: when it will be full again. A token makes that later by its share of the time, and there is none when it would be
/// later than the whole time from now. So nothing fills buckets, and one that was never used is 0.
/// </remarks>
internal sealed class RateLimit
{
    private readonly long _fullTicks;
    private readonly long _tokenTicks;
    private readonly int _index;

    /// <param name="setting">What was asked for.</param>
    /// <param name="index">Which bucket of a connection it is.</param>
    /// <param name="frequency">Ticks a second.</param>
    internal RateLimit(RateLimitSetting setting, int index, long frequency)
    {
        _index = index;
        _tokenTicks = Math.Max(1, (long)(setting.PerSeconds * frequency / setting.Count));
        _fullTicks = _tokenTicks * setting.Count;
    }

    /// <summary>Takes a token.</summary>
    /// <param name="connection">Whose. On its receive loop.</param>
    /// <param name="limits">How many limits the router has.</param>
    /// <param name="now">In ticks.</param>
    /// <returns><see langword="false"/> when there is none.</returns>
    internal bool TryTake(Connection connection, int limits, long now)
    {
        if (connection.DispatchState is not RateState state)
        {
            connection.DispatchState = state = new RateState(limits);
        }

        ref long fullAt = ref state.FullAt[_index];
        long then = Math.Max(fullAt, now) + _tokenTicks;
        if (then - now > _fullTicks)
        {
            return false;
        }

        fullAt = then;
        return true;
    }
}
