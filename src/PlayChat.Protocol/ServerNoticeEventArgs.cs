namespace PlayChat.Protocol;

/// <summary>The server refused a one-way message, for which no request waits; or an operator of the server sends a notice.</summary>
/// <param name="code">What went wrong; <see cref="ErrorCode.None"/> for a notice.</param>
/// <param name="message">The sentence for a person.</param>
/// <param name="packetId">The packet that failed; <see cref="PacketId.SNoticeNtf"/> for a notice.</param>
public sealed class ServerNoticeEventArgs(ErrorCode code, string message, PacketId packetId) : EventArgs
{
    /// <summary>The error code; <see cref="ErrorCode.None"/> for a notice of an operator.</summary>
    public ErrorCode Code { get; } = code;

    /// <summary>The sentence for a person.</summary>
    public string Message { get; } = message;

    /// <summary>Which packet failed, e.g. <see cref="PacketId.CRoomChatReq"/>.</summary>
    public PacketId PacketId { get; } = packetId;
}
