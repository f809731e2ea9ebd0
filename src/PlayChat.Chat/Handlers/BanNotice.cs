using PlayChat.Chat.Accounts;
using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Handlers;

/// <summary>The packets that tell a peer of its ban.</summary>
internal static class BanNotice
{
    /// <summary>Makes the error that answers a request.</summary>
    public static SErrorNtf Error(ushort packetId, Ban ban, DateTimeOffset now) =>
        Answers.Error(packetId, ErrorCode.Banned, BanTerms.Text(ban), BanTerms.RetryAfter(ban, now));

    /// <summary>Tells a peer of its ban, which no request of it asked for, and closes its connection.</summary>
    public static void TellAndClose(Connection connection, Ban ban, DateTimeOffset now)
    {
        connection.SendPacket(Error(packetId: 0, ban, now), type: ChatPackets.SErrorNtf);
        CloseNotices.TellAndClose(connection, CloseReason.LocalClose, BanTerms.Text(ban));
    }
}
