using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;
using PlayChat.Core;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LOGOUT_NTF: the player goes for good, and does not come back by its token.</summary>
internal sealed class LogoutHandler(PlayChatServer server, ShutdownState shutdown) : IPacketHandler<CLogoutNtf>
{
    public async ValueTask HandleAsync(PacketContext context, CLogoutNtf message, CancellationToken cancellationToken)
    {
        if (shutdown.IsStopping)
        {
            // A stopping node keeps players as members whose sessions end, because they may resume elsewhere. This one does not.
            foreach (ChatRoom room in context.Session.FindRooms<ChatRoom>())
            {
                await room.LeaveAsync(context.Session, cancellationToken);
            }
        }

        await server.Sessions.EndAsync(context.Session, CloseReason.PeerClosed, cancellationToken); // the peer asked for it
        context.Connection.Close(CloseReason.PeerClosed);
    }
}
