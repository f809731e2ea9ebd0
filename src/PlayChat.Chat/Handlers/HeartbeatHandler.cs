namespace PlayChat.Chat.Handlers;

/// <summary>C_HEARTBEAT_NTF: the client is alive, and has what was sent to it before.</summary>
internal sealed class HeartbeatHandler(PlayChatServer server) : IPacketHandler<CHeartbeatNtf>
{
    public ValueTask HandleAsync(PacketContext context, CHeartbeatNtf message, CancellationToken cancellationToken) =>
        server.Sessions.ConfirmResumeAsync(context.Connection);
}
