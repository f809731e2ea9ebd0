using PlayChat.Core;

namespace PlayChat.Client.Screens;

internal static class CloseWords
{
    /// <summary>The server's own sentence, or ours where it said nothing.</summary>
    public static string Describe(ChatConnectionClosedException closed) => closed.ServerMessage ?? closed.Reason switch
    {
        CloseReason.PeerClosed => "the server closed the connection",
        CloseReason.PeerReset => "the server went away",
        CloseReason.ServerShutdown => "the server is stopping",
        CloseReason.TakenOver => "another login with your name replaced this one",
        CloseReason.SlowConsumer => "this client read too slowly",
        CloseReason.IdleTimeout => "the server did not answer for too long",
        CloseReason.NodeFenced => "this server is no longer part of its cluster",
        CloseReason.FrameTimeout => "a message from this client took too long to arrive",
        CloseReason.LoginTimeout => "the login took too long",
        CloseReason.ServerFull => "the server is full",
        CloseReason.AddressFull => "the server accepts no more connections from this address",
        CloseReason.ProtocolViolation or CloseReason.FrameTooLarge or CloseReason.UnknownPacket =>
            "the client and the server use different protocols; check that this is a PlayChat server of the same version",
        CloseReason.RateLimited => "this client sent too many messages or bytes",
        CloseReason.HandlerFault => "the server had an internal error",
        CloseReason.TlsFailed => "the encryption of the connection failed",
        CloseReason.LocalClose => "the server ended this session",
        _ => "it broke",
    };
}
