namespace PlayChat.Benchmark.Echo;

/// <summary>What the echo load is.</summary>
/// <param name="Ccu">Connections.</param>
/// <param name="Inflight">Requests outstanding on each of them.</param>
/// <param name="PayloadBytes">Of each request.</param>
/// <param name="Framing">How it looks on the wire.</param>
/// <param name="MessagesPerConnection">After so many requests a connection sends no more; <see langword="null"/>: no end but the run's.</param>
internal sealed record EchoSettings(int Ccu, int Inflight, int PayloadBytes, EchoFraming Framing, long? MessagesPerConnection = null);
