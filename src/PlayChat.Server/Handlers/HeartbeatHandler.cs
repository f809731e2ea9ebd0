using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.Server.Handlers;

/// <summary>C_HEARTBEAT_NTF: that it came is all it says.</summary>
internal sealed class HeartbeatHandler : IPacketHandler<CHeartbeatNtf>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CHeartbeatNtf message, CancellationToken cancellationToken) => default;
}
