using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Benchmark.Baselines;

/// <summary>What a baseline server is to do.</summary>
/// <param name="Mode">With what it receives.</param>
/// <param name="Rooms">
/// Of <see cref="BaselineMode.Broadcast"/>: connection k, counted from 1 in the order of acceptance, is in room k mod Rooms.
/// </param>
/// <param name="Port">On the loopback; 0: a free one.</param>
internal sealed record BaselineSettings(BaselineMode Mode, int Rooms, int Port)
{
    /// <summary>
    /// Connections that may wait to be accepted, as the published stream experiment had it; the system cuts it to its own limit.
    /// </summary>
    public const int Backlog = 32_768;

    /// <summary>The certificate of TLS; <see langword="null"/> for none. Only kestrel has TLS.</summary>
    public X509Certificate2? Certificate { get; init; }
}
