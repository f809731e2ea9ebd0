using System.Buffers;
using Google.Protobuf;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Protocol;
using PlayChat.Protocol.Tests;
using PlayChat.TestUtilities;

namespace PlayChat.Protobuf.Tests;

public sealed class ProtobufPacketSetTests
{
    [Fact]
    public void A_protobuf_packet_is_named_after_its_message_or_as_said()
    {
        PacketSet packets = new PacketSet().AddProtobuf(1, CEchoReq.Parser).AddProtobuf(2, SEchoRes.Parser, "ANSWER", reuse: true);

        Assert.Equal([("CEchoReq", false), ("ANSWER", true)], packets.All.Select(static type => (type.Name, type.IsTransient)));
    }

    [Fact]
    public void A_reused_message_is_cleared_and_keeps_nothing_unknown()
    {
        PacketType<SRoomHistoryRes> type = new PacketSet().AddProtobuf(1, SRoomHistoryRes.Parser, reuse: true).Get<SRoomHistoryRes>();
        IMessage full = RandomMessage.Create(SRoomHistoryRes.Descriptor, new Random(20260101));
        byte[] unknown = [.. full.ToByteArray(), 0xc0, 0x3e, 0x01];

        SRoomHistoryRes first = Decode(type, unknown)!;
        Assert.Equal(full, first);
        type.Return(first);
        SRoomHistoryRes second = Decode(type, [])!;
        SRoomHistoryRes third = Decode(type, [])!;

        Assert.Same(first, second);
        Assert.NotSame(first, third);
        Assert.Equal(new SRoomHistoryRes(), second);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_body_that_is_no_message_is_described_in_the_parsers_words(bool reuse)
    {
        PacketType type = new PacketSet().AddProtobuf(1, CEchoReq.Parser, reuse: reuse).Get<CEchoReq>();
        string? problem = null;

        FrameScan.VisitBody(
            new ReadOnlySequence<byte>([0x0a, 0x05, 0x68]), (in Frame frame) => problem = type.DescribeProblem(in frame));

        Assert.Contains("ended unexpectedly", problem, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_field_of_every_message_is_cleared()
    {
        var random = new Random(20260102);
        Assert.All(PacketCatalog.Entries, packet =>
        {
            IMessage message = RandomMessage.Create(packet.Message, random);
            foreach (Google.Protobuf.Reflection.FieldDescriptor field in packet.Message.Fields.InFieldNumberOrder())
            {
                field.Accessor.Clear(message);
            }

            Assert.Equal(0, message.CalculateSize());
        });
    }

    [Fact]
    public void A_body_that_is_no_message_is_malformed_for_a_reused_one_too()
    {
        PacketType<SRoomChatRes> type = new PacketSet().AddProtobuf(1, SRoomChatRes.Parser, reuse: true).Get<SRoomChatRes>();

        Assert.Null(Decode(type, [0x08, 0x80]));
    }

    [Fact]
    public void A_reused_message_of_numbers_costs_no_memory()
    {
        PacketType<SRoomChatRes> type = new PacketSet().AddProtobuf(1, SRoomChatRes.Parser, reuse: true).Get<SRoomChatRes>();
        ReadOnlySequence<byte> body = new(new SRoomChatRes { RoomId = 3, Sequence = 1_000_000_000 }.ToByteArray());
        byte[] destination = new byte[(int)body.Length];
        bool whole = true;
        FrameVisitor echo = (in Frame frame) => // without assertions, which allocate
        {
            whole &= type.TryDecode(in frame, out SRoomChatRes? message) && type.GetBodyBytes(message) == destination.Length;
            type.Encode(message!, destination);
            type.Return(message!);
        };

        long allocated = AllocatedBytes.InSteadyState(() => FrameScan.VisitBody(body, echo));

        Assert.Equal(0, allocated);
        Assert.True(whole);
    }

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, byte[] body) => Decode(type, new ReadOnlySequence<byte>(body));

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, ReadOnlySequence<byte> body)
    {
        TMessage? decoded = default;
        FrameScan.VisitBody(body, (in Frame frame) => decoded = type.TryDecode(in frame, out TMessage? message) ? message : default);
        return decoded;
    }
}
