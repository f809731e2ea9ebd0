using PlayChat.Core.Dispatch;
using PlayChat.Protocol;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Handlers;

/// <summary>C_HEARTBEAT_NTF: the client is alive, and has what was sent to it before.</summary>
internal sealed class HeartbeatHandler(PresenceRegistry presences) : IPacketHandler<CHeartbeatNtf>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CHeartbeatNtf message, CancellationToken cancellationToken)
    {
        presences.Confirm(context.Session);
        return default;
    }
}
