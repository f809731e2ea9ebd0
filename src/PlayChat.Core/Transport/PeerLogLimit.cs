namespace PlayChat.Core.Transport;

/// <summary>
/// Limits the log lines about one event that peers cause: one line per network in 10 seconds, and 100 lines in all. Thread-safe.
/// </summary>
/// <remarks>So strangers cannot fill the disk. The next line of a network says how many were left out.</remarks>
internal sealed class PeerLogLimit(TimeProvider time)
{
    private const int MaxNetworks = 4096;
    private const int MaxLines = 100;
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    private readonly long _interval = (long)(s_interval.TotalSeconds * time.TimestampFrequency);
    private readonly RecentNetworks<Lines> _recent = new(MaxNetworks); // guarded by itself, like the next two
    private long _nextWindow = long.MinValue;
    private int _lines;

    private struct Lines
    {
        internal long NextLine;
        internal int LeftOut;
    }

    /// <summary>Asks for a line about a peer.</summary>
    /// <param name="peer">Its end point. Peers without an IP address count as one network.</param>
    /// <param name="leftOut">How many lines of its network were left out before this one.</param>
    /// <returns>Whether the line may be logged.</returns>
    internal bool TryTake(EndPoint? peer, out int leftOut)
    {
        PeerNetwork network = PeerNetwork.Of(peer) ?? default;
        long now = time.GetTimestamp();
        lock (_recent)
        {
            if (now >= _nextWindow)
            {
                _nextWindow = now + _interval;
                _lines = 0;
            }

            ref Lines lines = ref _recent.Find(network, now, 2 * _interval);
            leftOut = lines.LeftOut;
            if (_lines >= MaxLines || (lines.NextLine != 0 && now < lines.NextLine))
            {
                lines.LeftOut++;
                return false;
            }

            lines = new Lines { NextLine = now + _interval };
            _lines++;
            return true;
        }
    }
}
