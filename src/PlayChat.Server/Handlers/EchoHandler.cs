using PlayChat.Core.Dispatch;
using PlayChat.Protocol;
using PlayChat.Server.Replies;

namespace PlayChat.Server.Handlers;

/// <summary>C_ECHO_REQ: the payload comes back.</summary>
internal sealed class EchoHandler : IPacketHandler<CEchoReq>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CEchoReq message, CancellationToken cancellationToken)
    {
        context.Answer(ChatPackets.SEchoRes, new SEchoRes { Payload = message.Payload });
        return default;
    }
}
