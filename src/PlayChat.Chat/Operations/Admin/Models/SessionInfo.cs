namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A session of the server.</summary>
/// <param name="Id">The session's id.</param>
/// <param name="ConnectionId">The id of its connection; it differs from the session's id after a resume.</param>
/// <param name="UserId">The account; null before the login.</param>
/// <param name="UserName">The account's name; null before the login.</param>
/// <param name="Address">The peer's address.</param>
/// <param name="State">connected, anonymous (no login yet), away (it may resume) or closing.</param>
/// <param name="AgeSeconds">How long ago the connection was opened.</param>
/// <param name="SilentSeconds">How long ago bytes last arrived.</param>
/// <param name="BlockedSeconds">How long a send has waited for the peer to read; 0 when none waits.</param>
/// <param name="QueuedBytes">Bytes that wait to be sent.</param>
/// <param name="MaxQueuedBytes">The most bytes that may wait; at this bound the peer is a slow consumer.</param>
/// <param name="BytesReceived">Bytes received on this connection.</param>
/// <param name="BytesSent">Bytes sent on this connection.</param>
/// <param name="FramesReceived">Frames received on this connection.</param>
/// <param name="FramesSent">Frames sent on this connection.</param>
/// <param name="IsHandlerWaiting">Whether a handler of the session waits, so that nothing is received.</param>
/// <param name="Rooms">The rooms in which the session is a member.</param>
/// <param name="Rates">What passed in the measured time; null when it was not measured.</param>
internal sealed record SessionInfo(
    long Id,
    long ConnectionId,
    long? UserId,
    string? UserName,
    string? Address,
    string State,
    double AgeSeconds,
    double SilentSeconds,
    double BlockedSeconds,
    long QueuedBytes,
    long MaxQueuedBytes,
    long BytesReceived,
    long BytesSent,
    long FramesReceived,
    long FramesSent,
    bool IsHandlerWaiting,
    IReadOnlyList<RoomPlaceInfo> Rooms,
    TrafficRates? Rates);
