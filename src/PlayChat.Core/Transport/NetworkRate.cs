namespace PlayChat.Core.Transport;

/// <summary>A token bucket for each network: it limits how often a network may do something. Thread-safe.</summary>
/// <remarks>
/// A bucket is one number: the time at which it will be full again. A token delays that time by its share, and a bucket is empty when the
/// time would be further away than a whole bucket takes to fill. A network that was forgotten has a full bucket, which is right: it was
/// idle for longer than its bucket takes to fill. Only when more networks than the capacity are busy at once are some forgotten too early.
/// </remarks>
/// <param name="frequency">Ticks of the timestamps in a second.</param>
/// <param name="capacity">The number of networks of a generation, see <see cref="RecentNetworks{TValue}"/>.</param>
internal sealed class NetworkRate(long frequency, int capacity = 65_536)
{
    private readonly RecentNetworks<long> _fullAt = new(capacity); // guarded by itself

    /// <summary>Takes a token of a network.</summary>
    /// <returns><see langword="false"/> if the bucket is empty.</returns>
    internal bool TryTake(PeerNetwork network, int perSecond, int burst, long now)
    {
        long token = Math.Max(1, frequency / perSecond);
        long full = token * burst;
        lock (_fullAt)
        {
            ref long fullAt = ref _fullAt.Find(network, now, full);
            long then = Math.Max(fullAt, now) + token;
            if (then - now > full)
            {
                return false;
            }

            fullAt = then;
            return true;
        }
    }
}
