using System.Buffers;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.MicroBenchmarks;

/// <summary>The handlers of <see cref="PacketEchoBenchmarks"/> that the source generator maps.</summary>
internal sealed class EchoHandlers
{
    [Packet(PacketEchoBenchmarks.Raw)]
    public void Echo(PacketContext context, ReadOnlySequence<byte> body) => context.Reply(body);

    [Packet(PacketEchoBenchmarks.Numbers)]
    public void Echo(PacketContext context, SRoomChatRes message) => context.Reply(message);
}
