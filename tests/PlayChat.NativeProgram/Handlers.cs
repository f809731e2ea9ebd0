using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.NativeProgram;

/// <summary>Handlers that the source generator maps, in a class that is made from the host's services.</summary>
internal sealed class Handlers(EchoCount count)
{
    [Packet(Packets.Echo), RateLimit(100)]
    public void OnEcho(PacketContext context, CEchoReq message)
    {
        count.Add();
        context.Reply(new SEchoRes { Payload = message.Payload });
    }

    [Packet(Packets.Leave), UseFilter(typeof(Passing))]
    public static void OnLeave(PacketContext context, CLeaveRoomReq message) =>
        context.Reply(new SLeaveRoomAck { RoomId = message.RoomId });
}
