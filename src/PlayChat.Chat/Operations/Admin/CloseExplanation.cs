using PlayChat.Core;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Says what a close reason means to an operator.</summary>
internal static class CloseExplanation
{
    public static string Of(CloseReason reason) => reason switch
    {
        CloseReason.PeerClosed => "The client closed the connection in order.",
        CloseReason.PeerReset => "The client or the network broke the connection. Many at once point to the network or a proxy.",
        CloseReason.ProtocolViolation => "The client sent bytes that are no valid packet. Check its version.",
        CloseReason.FrameTooLarge => "The client announced a packet above MaxFrameBytes.",
        CloseReason.SlowConsumer => "The client did not read fast enough and its queue reached PlayChat:Connections:MaxOutboundBytes.",
        CloseReason.IdleTimeout => "Nothing came from the client for PlayChat:Sessions:IdleTimeout.",
        CloseReason.HandlerFault => "A handler of the server threw an exception: see the log.",
        CloseReason.ServerShutdown => "The server was stopping.",
        CloseReason.LocalClose => "The server closed it: a logout, a ban, or an operator.",
        CloseReason.LoginTimeout => "The client did not log in within PlayChat:Sessions:LoginTimeout.",
        CloseReason.TakenOver => "The player logged in from elsewhere.",
        CloseReason.TlsFailed => "The TLS handshake or a record of it failed.",
        CloseReason.ServerFull => "The server had PlayChat:Connections:MaxConnections connections.",
        CloseReason.AddressFull => "The client's address had as many connections as one address may have.",
        CloseReason.TransportFault => "The system failed on the server's side of the connection: see the log.",
        CloseReason.UnknownPacket => "The client sent a packet that the server does not know. Check its version.",
        CloseReason.LoginRequired => "The client sent too many requests before its login.",
        CloseReason.RateLimited => "The client kept sending more packets than Sessions:PacketsPerSecond allows.",
        CloseReason.LoginExpired => "The login has expired.",
        CloseReason.NodeFenced => "This node lost its place in the cluster.",
        CloseReason.FrameTimeout => "The client began a packet and did not send the rest in time.",
        _ => "The connection is open.",
    };
}
