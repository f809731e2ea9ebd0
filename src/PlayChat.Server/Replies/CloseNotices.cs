using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.Server.Replies;

/// <summary>S_CLOSE_NTF: tells a peer why the server closes, before it does.</summary>
internal static class CloseNotices
{
    /// <summary>Tells with the usual sentence.</summary>
    public static void Tell(Connection connection, CloseReason reason) => Tell(connection, reason, Sentence(reason));

    public static void Tell(Connection connection, CloseReason reason, string message) =>
        connection.Send(ChatPackets.SCloseNtf, new SCloseNtf { Reason = (CloseCode)(int)reason, Message = message });

    private static string Sentence(CloseReason reason) => reason switch
    {
        CloseReason.ProtocolViolation => "The bytes that came are no packet. Correct the client.",
        CloseReason.FrameTooLarge => "The packet is larger than this server takes. Correct the client.",
        CloseReason.IdleTimeout => "Nothing came for too long. Connect again.",
        CloseReason.HandlerFault => "The server failed at your request. Connect again after a pause.",
        CloseReason.ServerShutdown => "The server is stopping. Connect again after a pause.",
        CloseReason.LoginTimeout => "No login came in time. Connect again and log in at once.",
        CloseReason.ServerFull => "The server has all the connections it takes. Connect again after a pause.",
        CloseReason.AddressFull => "Your address has all the connections it may have. Close one, or connect again after a pause.",
        CloseReason.UnknownPacket => "The server does not know this packet. Correct the client.",
        CloseReason.LoginRequired => "Too many requests came without a login. Connect again, and log in first.",
        CloseReason.TakenOver => "The player has resumed on another connection.",
        CloseReason.RateLimited => "Too many packets came. Connect again after a pause, and send less often.",
        _ => "The server ends this connection.",
    };
}
