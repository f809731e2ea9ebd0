namespace PlayChat.Protocol;

/// <summary>The server refused a one-way message, for which no request waits.</summary>
/// <param name="code">What went wrong.</param>
/// <param name="message">The server's sentence for a person.</param>
/// <param name="packetId">The packet that failed.</param>
public sealed class ServerNoticeEventArgs(ErrorCode code, string message, PacketId packetId) : EventArgs
{
    /// <summary>What went wrong.</summary>
    public ErrorCode Code { get; } = code;

    /// <summary>The server's sentence for a person.</summary>
    public string Message { get; } = message;

    /// <summary>Which packet failed, e.g. <see cref="PacketId.CRoomChatReq"/>.</summary>
    public PacketId PacketId { get; } = packetId;
}
