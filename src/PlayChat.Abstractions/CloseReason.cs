namespace PlayChat.Core;

/// <summary>The reason why a connection ended. Every connection has exactly one: only the first reason that is set counts.</summary>
/// <remarks>
/// <para>A client has the server's reason where the server tells it: over WebSocket, and over TCP if the server handles packets and has no
/// <c>OnClosing</c>.</para>
/// <para>The numbers are stored and charted, so they never change; a new reason gets the next free number.</para>
/// </remarks>
public enum CloseReason
{
    /// <summary>The connection is still open.</summary>
    None = 0,

    /// <summary>The peer closed in an orderly way (FIN, or the end of its TLS stream).</summary>
    PeerClosed = 1,

    /// <summary>The peer or the network broke the link (RST, aborted, unreachable).</summary>
    PeerReset = 2,

    /// <summary>The peer sent an invalid frame, or a message that the protocol does not allow in this state.</summary>
    ProtocolViolation = 3,

    /// <summary>The peer announced a frame that is longer than the format's limit.</summary>
    FrameTooLarge = 4,

    /// <summary>The peer read so slowly that its outbound queue reached the limit.</summary>
    SlowConsumer = 5,

    /// <summary>The peer sent nothing within the idle timeout.</summary>
    IdleTimeout = 6,

    /// <summary>A handler on this side threw an exception while it handled a frame of the peer.</summary>
    HandlerFault = 7,

    /// <summary>The server is stopping.</summary>
    ServerShutdown = 8,

    /// <summary>The application on this side closed it. On a client that is told the reason also: the server's application did.</summary>
    LocalClose = 9,

    /// <summary>The peer did not log in within the login timeout.</summary>
    LoginTimeout = 10,

    /// <summary>The same user logged in again elsewhere, and the newer session took over.</summary>
    TakenOver = 11,

    /// <summary>The TLS handshake failed or timed out, or data received after it could not be decrypted.</summary>
    TlsFailed = 12,

    /// <summary>The server already had its maximum number of connections.</summary>
    ServerFull = 13,

    /// <summary>The peer's address already had the maximum number of connections for one address.</summary>
    AddressFull = 14,

    /// <summary>Our side of the link failed in a way that is not the peer's doing.</summary>
    TransportFault = 15,

    /// <summary>The peer sent a packet id that nothing handles, and unknown packets are not tolerated.</summary>
    UnknownPacket = 16,

    /// <summary>The peer sent a packet that requires a login before it had logged in.</summary>
    LoginRequired = 17,

    /// <summary>The peer kept sending packets after the rate limit had refused them.</summary>
    RateLimited = 18,

    /// <summary>The peer began a frame and did not send the rest of it in time.</summary>
    FrameTimeout = 19,

    /// <summary>
    /// This node is no longer part of its cluster, so other nodes have taken over what it served. Connect to one of them.
    /// </summary>
    NodeFenced = 20,

    /// <summary>The login was valid for a limited time, which has passed. Log in anew, with a new token.</summary>
    LoginExpired = 21,
}
