namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What passed a connection within a measured time.</summary>
/// <param name="SampleMs">How long it was measured, in milliseconds.</param>
/// <param name="BytesReceivedPerSecond">Bytes received per second.</param>
/// <param name="BytesSentPerSecond">Bytes sent per second.</param>
/// <param name="FramesReceivedPerSecond">Frames received per second.</param>
/// <param name="FramesSentPerSecond">Frames sent per second.</param>
internal sealed record TrafficRates(
    double SampleMs,
    double BytesReceivedPerSecond,
    double BytesSentPerSecond,
    double FramesReceivedPerSecond,
    double FramesSentPerSecond);
