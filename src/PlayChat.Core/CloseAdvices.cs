namespace PlayChat.Core;

/// <summary>
/// The table of close reasons and their advice. proto/close-codes.json is made from it for clients in other languages; a test compares
/// them.
/// </summary>
internal static class CloseAdvices
{
    /// <summary>Returns the advice for a close reason.</summary>
    internal static CloseAdvice Of(CloseReason reason) => reason switch
    {
        CloseReason.PeerClosed => CloseAdvice.Reconnect,
        CloseReason.PeerReset => CloseAdvice.Reconnect,
        CloseReason.SlowConsumer => CloseAdvice.Reconnect,
        CloseReason.IdleTimeout => CloseAdvice.Reconnect,
        CloseReason.HandlerFault => CloseAdvice.Reconnect,
        CloseReason.TlsFailed => CloseAdvice.Reconnect,
        CloseReason.TransportFault => CloseAdvice.Reconnect,
        CloseReason.FrameTimeout => CloseAdvice.Reconnect,
        CloseReason.NodeFenced => CloseAdvice.Reconnect,
        CloseReason.ServerShutdown => CloseAdvice.ReconnectLater,
        CloseReason.LoginTimeout => CloseAdvice.ReconnectLater,
        CloseReason.ServerFull => CloseAdvice.ReconnectLater,
        CloseReason.AddressFull => CloseAdvice.ReconnectLater,
        CloseReason.RateLimited => CloseAdvice.ReconnectLater,
        _ => CloseAdvice.DoNotReconnect,
    };
}
