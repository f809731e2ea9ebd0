using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>Logs refused links: at most one line per network in 10 seconds, and 100 lines in all. Thread-safe.</summary>
/// <remarks>
/// A line says how many refusals were left out since the last one, so that strangers cannot fill the disk and nothing goes unmentioned.
/// Every refusal is counted in <c>playchat.connections.refused</c>.
/// </remarks>
internal sealed class RefusalLog(ILogger logger, TimeProvider time)
{
    private const int MaxNetworks = 4096;
    private const int MaxLines = 100;
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    private readonly long _interval = (long)(s_interval.TotalSeconds * time.TimestampFrequency);
    private readonly RecentNetworks<Refusals> _recent = new(MaxNetworks); // guarded by itself, like the next two
    private long _nextWindow = long.MinValue;
    private int _lines;

    private struct Refusals
    {
        internal long NextLine;
        internal int LeftOut;
    }

    /// <summary>Notes one refused link.</summary>
    internal void Refused(EndPoint? peer, CloseReason reason)
    {
        PeerNetwork network = PeerNetwork.Of(peer) ?? default;
        int leftOut;
        lock (_recent)
        {
            if (!TryTakeLine(network, time.GetTimestamp(), out leftOut))
            {
                return;
            }
        }

        if (leftOut == 0)
        {
            HostingLog.Refused(logger, peer, reason);
        }
        else
        {
            HostingLog.RefusedAgain(logger, peer, reason, leftOut);
        }
    }

    private bool TryTakeLine(PeerNetwork network, long now, out int leftOut)
    {
        if (now >= _nextWindow)
        {
            _nextWindow = now + _interval;
            _lines = 0;
        }

        ref Refusals refusals = ref _recent.Find(network, now, 2 * _interval);
        leftOut = refusals.LeftOut;
        if (_lines >= MaxLines || (refusals.NextLine != 0 && now < refusals.NextLine))
        {
            refusals.LeftOut++;
            return false;
        }

        refusals = new Refusals { NextLine = now + _interval };
        _lines++;
        return true;
    }
}
