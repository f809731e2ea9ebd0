using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;

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
    /// <summary>
    /// As many turns as handshakes of the server may compute at once. Half of the processors stay free for established connections.
    /// </summary>
    internal SemaphoreSlim Turns { get; } = new(Math.Max(1, Environment.ProcessorCount / 2));
}
