namespace PlayChat.Core.WebSockets;

/// <summary>The rule of WebSocket that a client has broken. <see cref="WebSocketClose.Of"/> says what the client is told.</summary>
internal enum WebSocketFault : byte
{
    None,
    NotMasked,
    ReservedBits,
    UnknownOpcode,
    ControlTooLong,
    ControlFragmented,
    LengthNotMinimal,
    LengthTooLarge,
    NothingToContinue,
    MessageNotFinished,
    TextMessage,
    BinaryMessage,
    BadClosePayload,
    CloseReasonNotUtf8,
    MessageTooLarge,
    TextNotUtf8,
    BadJson,
}
