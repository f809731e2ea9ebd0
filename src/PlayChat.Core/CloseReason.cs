namespace PlayChat.Core;

/// <summary>Why a connection ended. Every connection has exactly one: the first that was given wins.</summary>
/// <remarks>The numbers are stored and charted: a new reason goes to the end, and none is ever renumbered.</remarks>
public enum CloseReason
{
    /// <summary>The connection is still open.</summary>
    None = 0,

    /// <summary>The peer closed in an orderly way (FIN, or the end of its TLS stream).</summary>
    PeerClosed = 1,

    /// <summary>The peer, or something on the way to it, broke the link (RST, aborted, unreachable).</summary>
    PeerReset = 2,

    /// <summary>The peer sent bytes that are no frame, or a message that the protocol does not allow at that place.</summary>
    ProtocolViolation = 3,

    /// <summary>The peer announced a frame that is longer than the format's limit.</summary>
    FrameTooLarge = 4,

    /// <summary>The peer read so slowly that what waits to be sent to it reached its bound.</summary>
    SlowConsumer = 5,

    /// <summary>Nothing was received from the peer for the idle timeout.</summary>
    IdleTimeout = 6,

    /// <summary>A handler of ours threw while it worked on the peer's frame.</summary>
    HandlerFault = 7,

    /// <summary>The server is stopping.</summary>
    ServerShutdown = 8,

    /// <summary>The application on our side closed it. On a client over WebSocket also: the server's application closed it.</summary>
    LocalClose = 9,

    /// <summary>The peer did not log in within the login timeout.</summary>
    LoginTimeout = 10,

    /// <summary>The same user logged in again elsewhere, and the newer session took over.</summary>
    TakenOver = 11,

    /// <summary>The TLS handshake failed or did not end in time, or what came after it could not be decrypted.</summary>
    TlsFailed = 12,

    /// <summary>The server already had as many connections as it may have.</summary>
    ServerFull = 13,

    /// <summary>The peer's address already had as many connections as one address may have.</summary>
    AddressFull = 14,

    /// <summary>Our side of the link failed in a way that is not the peer's doing.</summary>
    TransportFault = 15,

    /// <summary>The peer sent a packet id that nothing handles, and unknown packets are not tolerated.</summary>
    UnknownPacket = 16,

    /// <summary>The peer asked for something that needs a login before it had logged in, and that is not tolerated.</summary>
    LoginRequired = 17,

    /// <summary>The peer went on sending packets that were refused because it had sent too many.</summary>
    RateLimited = 18,

    /// <summary>The peer began a frame and did not send the rest of it in time.</summary>
    FrameTimeout = 19,
}
