using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.NativeProgram;

/// <summary>A handler that is made from the host's services.</summary>
internal sealed class EchoHandler(EchoCount count) : IPacketHandler<CEchoReq>
{
    public ValueTask HandleAsync(PacketContext context, CEchoReq message, CancellationToken cancellationToken)
    {
        count.Add();
        context.Reply(ChatPackets.SEchoRes, new SEchoRes { Payload = message.Payload });
        return default;
    }
}
