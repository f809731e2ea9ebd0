using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;

namespace PlayChat.Server.Handlers;

/// <summary>C_LOGOUT_NTF: the player goes for good, and does not come back by its token.</summary>
internal sealed class LogoutHandler(PlayChatServer server) : IPacketHandler<CLogoutNtf>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CLogoutNtf message, CancellationToken cancellationToken)
    {
        await server.Sessions.EndAsync(context.Session, CloseReason.PeerClosed); // the peer asked for it
        context.Connection.Close(CloseReason.PeerClosed);
    }
}
