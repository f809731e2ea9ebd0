namespace PlayChat.Core;

/// <summary>Says for each close reason whether a client reconnects by itself after it.</summary>
/// <remarks>
/// The clients follow it. For clients in other languages proto/close-codes.json is made from it; a test
/// compares them. Thread-safe.
/// </remarks>
public static class CloseAdvices
{
    /// <summary>Returns the advice for a close reason.</summary>
    /// <param name="reason">Why the connection ended, as the server has said, or as the client has observed.</param>
    /// <returns>
    /// <see cref="CloseAdvice.DoNotReconnect"/> also for <see cref="CloseReason.None"/> and for reasons of newer servers.
    /// </returns>
    public static CloseAdvice Of(CloseReason reason) => reason switch
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
        CloseReason.LoginExpired => CloseAdvice.Reconnect,
        CloseReason.ServerShutdown => CloseAdvice.ReconnectLater,
        CloseReason.LoginTimeout => CloseAdvice.ReconnectLater,
        CloseReason.ServerFull => CloseAdvice.ReconnectLater,
        CloseReason.AddressFull => CloseAdvice.ReconnectLater,
        CloseReason.RateLimited => CloseAdvice.ReconnectLater,
        _ => CloseAdvice.DoNotReconnect,
    };
}
