using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Replies;

/// <summary>S_CLOSE_NTF: tells a peer why the server closes, before it does.</summary>
internal static class CloseNotices
{
    /// <summary>Tells with a sentence, or the usual one without it, and closes the connection.</summary>
    public static void TellAndClose(Connection connection, CloseReason reason, string? message = null)
    {
        Tell(connection, reason, message ?? Sentence(reason));
        connection.Close(reason);
    }

    /// <summary>
    /// Tells with the usual sentence. When the server stops, the peer is told how long to wait before coming back, and where to.
    /// </summary>
    /// <param name="connection">The peer.</param>
    /// <param name="reason">Why the connection closes.</param>
    /// <param name="pause">How long each peer is asked to wait.</param>
    /// <param name="findOther">
    /// Chooses another server of the cluster, as HOST:PORT; <see langword="null"/> when there is none.
    /// </param>
    public static void TellClosing(Connection connection, CloseReason reason, ReturnPause pause, Func<string?> findOther)
    {
        TimeSpan wait = reason == CloseReason.ServerShutdown ? pause.Next() : TimeSpan.Zero;
        if (wait == TimeSpan.Zero && reason != CloseReason.NodeFenced)
        {
            Tell(connection, reason, Sentence(reason));
            return;
        }

        connection.SendPacket(new SCloseNtf
        {
            Reason = (CloseCode)(int)reason,
            Message = Sentence(reason),
            RetryAfterMs = (uint)Math.Ceiling(wait.TotalMilliseconds), // 0 says: do not come back
            Endpoint = findOther() ?? "",
        }, type: ChatPackets.SCloseNtf);
    }

    /// <summary>Tells that an operator closes the connection, with its sentence, or the usual one where that is empty.</summary>
    public static void TellLocalClose(Connection connection, string message) =>
        Tell(connection, CloseReason.LocalClose, message.Length > 0 ? message : "An operator of the server has ended your session.");

    private static void Tell(Connection connection, CloseReason reason, string message) =>
        connection.SendPacket(new SCloseNtf { Reason = (CloseCode)(int)reason, Message = message }, type: ChatPackets.SCloseNtf);

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
        CloseReason.FrameTimeout => "A packet took too long to arrive. Connect again.",
        CloseReason.LoginExpired => "Your login has expired. Log in again.",
        CloseReason.NodeFenced => "This server has lost its cluster. Connect to another one.",
        _ => "The server ends this connection.",
    };
}
