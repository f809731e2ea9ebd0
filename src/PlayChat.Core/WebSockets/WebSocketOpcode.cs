namespace PlayChat.Core.WebSockets;

/// <summary>What a WebSocket frame is (RFC 6455, section 5.2). The values are those on the wire.</summary>
internal enum WebSocketOpcode : byte
{
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}
