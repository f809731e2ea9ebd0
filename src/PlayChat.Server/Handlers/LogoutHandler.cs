using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Handlers;

/// <summary>C_LOGOUT_NTF: the player goes for good, and does not come back by its token.</summary>
internal sealed class LogoutHandler(PresenceRegistry presences) : IPacketHandler<CLogoutNtf>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CLogoutNtf message, CancellationToken cancellationToken)
    {
        presences.LogOut(context.Session);
        context.Connection.Close(CloseReason.PeerClosed); // it was the peer that wanted to go
        return default;
    }
}
