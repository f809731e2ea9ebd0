using PlayChat.Core.Packets;
using PlayChat.Protobuf;
using PlayChat.Protocol;

namespace PlayChat.NativeProgram;

/// <summary>A protocol with every serializer.</summary>
internal static class Packets
{
    internal const ushort Echo = 1;
    internal const ushort Leave = 3;
    internal const ushort Move = 5;

    internal static PacketSet All { get; } = new PacketSet()
        .AddProtobuf(Echo, CEchoReq.Parser)
        .AddProtobuf(2, SEchoRes.Parser)
        .AddProtobuf(Leave, CLeaveRoomReq.Parser, reuse: true)
        .AddProtobuf(4, SLeaveRoomAck.Parser)
        .AddJson(Move, PacketsJson.Default.Move)
        .AddJson(6, PacketsJson.Default.Moved);
}
