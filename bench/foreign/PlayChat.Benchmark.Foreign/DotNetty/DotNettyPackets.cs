using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using Google.Protobuf;
using PlayChat.Benchmark.Baselines;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Foreign.DotNetty;

/// <summary>Answers logins and echo requests of the chat protocol, with protobuf and request ids.</summary>
internal sealed class DotNettyPackets(BaselineCounters counters) : DotNettyHandler(counters)
{
    private const int LengthBytes = 4;
    private const int HeaderBytes = 8; // length, packet id, request id; proto/PROTOCOL.md, "Framing"

    protected override void OnFrame(IChannelHandlerContext context, IByteBuffer frame)
    {
        int start = frame.ReaderIndex;
        var id = (PacketId)frame.GetUnsignedShort(start + LengthBytes);
        ushort requestId = frame.GetUnsignedShort(start + LengthBytes + sizeof(ushort));
        ReadOnlySpan<byte> body = frame.GetIoBuffer(start + HeaderBytes, frame.ReadableBytes - HeaderBytes);
        (PacketId answerId, IMessage answer) = id switch
        {
            PacketId.CEchoReq => (PacketId.SEchoRes, (IMessage)new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(body).Payload }),
            PacketId.CLoginReq => (PacketId.SLoginRes, new SLoginRes { Name = CLoginReq.Parser.ParseFrom(body).Name }),
            _ => throw new InvalidOperationException("The baseline answers logins and echo requests only."),
        };
        frame.Release();
        int bytes = answer.CalculateSize();
        IByteBuffer packet = context.Allocator.Buffer(HeaderBytes + bytes);
        packet.WriteInt(HeaderBytes - LengthBytes + bytes);
        packet.WriteUnsignedShort((ushort)answerId);
        packet.WriteUnsignedShort(requestId);
        answer.WriteTo(packet.GetIoBuffer(packet.WriterIndex, bytes).AsSpan());
        packet.SetWriterIndex(packet.WriterIndex + bytes);
        Counters.OnEchoed(1);
        Counters.OnSent(HeaderBytes + bytes, operations: 0); // DotNetty gathers on its own
        _ = context.WriteAsync(packet);
    }
}
