using PlayChat.Core;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Close reasons in words for a person.</summary>
internal static class CloseWords
{
    /// <summary>The server's own sentence, or ours where it said nothing.</summary>
    public static string Describe(ChatConnectionClosedException closed) => closed.ServerMessage ?? closed.Reason switch
    {
        CloseReason.PeerClosed => "the server closed the connection",
        CloseReason.PeerReset => "the server went away",
        CloseReason.ServerShutdown => "the server is stopping",
        CloseReason.TakenOver => "somebody logged in with your name from elsewhere",
        CloseReason.SlowConsumer => "this side read too slowly",
        CloseReason.IdleTimeout => "the server heard nothing from here for too long",
        CloseReason.FrameTimeout => "a message from here took too long to arrive",
        CloseReason.LoginTimeout => "the login took too long",
        CloseReason.ServerFull => "the server is full",
        CloseReason.AddressFull => "the server takes no more connections from this address",
        CloseReason.ProtocolViolation or CloseReason.FrameTooLarge or CloseReason.UnknownPacket =>
            "the two sides do not understand each other; is it a PlayChat server of this version?",
        CloseReason.RateLimited => "this side sent too much",
        CloseReason.HandlerFault => "the server failed",
        _ => $"it ended ({closed.Reason})",
    };
}
