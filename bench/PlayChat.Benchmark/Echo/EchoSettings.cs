namespace PlayChat.Benchmark.Echo;

/// <summary>What the echo load is.</summary>
/// <param name="Inflight">The most requests outstanding on each of them: as many, in the closed loop.</param>
/// <param name="MessagesPerConnection">
/// After so many requests a connection sends no more; <see langword="null"/>: no end but the run's.
/// </param>
internal sealed record EchoSettings(int Ccu, int Inflight, int PayloadBytes, EchoFraming Framing, long? MessagesPerConnection = null)
{
    /// <summary>Open loop: requests a second on all connections together; <see langword="null"/>: closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Open loop: the generator's own lag (p99) from which the run is not valid.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>One round trip in so many is timed; closed loop.</summary>
    public int SampleEvery { get; init; } = 1;

    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;

    /// <summary>The share of requests without an answer up to which the run is good.</summary>
    public double MaxIncompleteRatio { get; init; }
}

internal enum EchoFraming
{
    Packet, // C_ECHO_REQ and S_ECHO_RES of the chat protocol, with request ids, after a login
    Request, // the same packets on the wire, but each answer is awaited by Connection.RequestAsync
    Length4, // four bytes big-endian length and the payload: the server's echo mode
}
