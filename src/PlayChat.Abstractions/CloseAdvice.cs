namespace PlayChat.Core;

/// <summary>Says whether a client reconnects after the end of its connection.</summary>
public enum CloseAdvice
{
    /// <summary>Either side has ended the connection on purpose, or would again: do not reconnect by yourself.</summary>
    DoNotReconnect,

    /// <summary>The connection has broken: reconnect at once, then with growing pauses.</summary>
    Reconnect,

    /// <summary>
    /// The server takes no further clients for now: reconnect after a pause. After <see cref="CloseReason.ServerShutdown"/> only if the
    /// server has asked for it.
    /// </summary>
    ReconnectLater,
}
