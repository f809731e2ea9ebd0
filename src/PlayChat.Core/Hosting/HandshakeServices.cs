using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>What the handshakes of all endpoints share.</summary>
/// <param name="Admission">Decides about a link once the address of its client is known.</param>
/// <param name="Refusals">Logs refused links.</param>
/// <param name="Limits">Whether the limits per address hold for this machine.</param>
/// <param name="Metrics">Counts refused links.</param>
/// <param name="Time">The clock of the deadlines.</param>
internal sealed record HandshakeServices(
    Admission Admission, RefusalLog Refusals, ConnectionOptions Limits, ServerMetrics Metrics, TimeProvider Time)
{
    private static readonly int s_half = Math.Max(1, Environment.ProcessorCount / 2);

    /// <summary>Bounds the handshakes that compute at once, so that half of the processors stay free for established connections, and those
    /// that begin: eight for each, because peers that send byte by byte take a turn for each byte while new ones wait.</summary>
    internal HandshakeTurns Turns { get; } = new(steps: s_half, starts: 8 * s_half);

    /// <summary>Bounds the log lines about refused upgrades.</summary>
    internal PeerLogLimit RefusedUpgrades { get; } = new(Time);

    /// <summary>Where refused upgrades are logged.</summary>
    internal ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>For WebSocket clients that speak JSON; <see langword="null"/> where the server handles no packets.</summary>
    internal PacketJson? PacketJson { get; init; }

    /// <summary>The subprotocols of WebSocket clients; empty where none is needed.</summary>
    internal string[] Subprotocols { get; init; } = [];

    /// <summary>Counts and logs the answer to a request that was no upgrade, unless a file was asked for.</summary>
    internal void OnAnswered(EndPoint? peer, HttpAnswer answer)
    {
        if (answer.Problem is not { } problem)
        {
            return;
        }

        if (RefusedUpgrades.TryTake(peer, out int leftOut))
        {
            HostingLog.UpgradeRefused(Logger, peer, answer.Status, problem, leftOut);
        }

        Metrics.Add(Counter.ConnectionsRefused);
        Metrics.Add(Counter.UpgradesRefused);
    }
}
