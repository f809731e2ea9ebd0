namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What passed a connection within a measured time.</summary>
internal sealed record TrafficRates(
    double SampleMs, // how long it was measured
    double BytesReceivedPerSecond,
    double BytesSentPerSecond,
    double FramesReceivedPerSecond,
    double FramesSentPerSecond);
