namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A session of the server. Bytes and frames are those of its present connection.</summary>
internal sealed record SessionInfo(
    long Id,
    long ConnectionId, // differs from the session's id after a resume
    long? UserId, // null before the login, like the name
    string? UserName,
    string? Address,
    string State, // connected, anonymous (no login yet), away (it may resume) or closing
    double AgeSeconds, // since the connection was opened
    double SilentSeconds, // since bytes last arrived
    double BlockedSeconds, // for which a send has waited for the peer to read; 0 when none waits
    long QueuedBytes, // wait to be sent
    long MaxQueuedBytes, // at this bound the peer is a slow consumer
    long BytesReceived,
    long BytesSent,
    long FramesReceived,
    long FramesSent,
    bool IsHandlerWaiting, // so that nothing is received
    IReadOnlyList<RoomPlaceInfo> Rooms,
    TrafficRates? Rates); // null when they were not measured
