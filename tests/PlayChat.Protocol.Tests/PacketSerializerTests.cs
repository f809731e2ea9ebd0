using System.Buffers;
using System.Text;
using Google.Protobuf;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class PacketSerializerTests
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

    [Fact]
    public void Json_is_read_and_written_wherever_the_segments_are_cut()
    {
        PacketType<JsonMove> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonMove).Get<JsonMove>();
        var move = new JsonMove("änn", 3.5);
        byte[] body = new byte[type.GetBodyBytes(move)];
        type.Encode(move, body);

        Assert.Equal("JsonMove", type.Name);
        Assert.Equal(move, Decode(type, body));
        for (int pieceBytes = 1; pieceBytes < body.Length; pieceBytes++)
        {
            Assert.Equal(move, Decode(type, SegmentedBytes.Cut(body, pieceBytes)));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("{} {}")]
    [InlineData("{\"X\":\"a\"}")]
    public void Json_that_is_no_such_message_is_malformed(string json)
    {
        PacketType<JsonMove> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonMove, "MOVE").Get<JsonMove>();

        Assert.Null(Decode(type, Encoding.UTF8.GetBytes(json)));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("{\"$type\":\"square\"}")]
    [InlineData("{\"Radius\":2}")]
    public void Json_without_the_kind_that_its_message_needs_is_malformed(string json)
    {
        PacketType<JsonShape> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonShape).Get<JsonShape>();

        Assert.Null(Decode(type, Encoding.UTF8.GetBytes(json)));
        Assert.Equal(new JsonCircle(2), Decode(type, "{\"$type\":\"circle\",\"Radius\":2}"u8.ToArray()));
    }

    [Fact]
    public void A_raw_body_is_the_message()
    {
        PacketType<ReadOnlySequence<byte>> type = new PacketSet().AddRaw(1, "ONE").AddRaw(2, "TWO").Get<ReadOnlySequence<byte>>(2);
        byte[] body = [1, 2, 3];
        byte[] copy = new byte[3];

        ReadOnlySequence<byte> message = Decode(type, body);
        type.Encode(message, copy);

        Assert.Equal("TWO", type.Name);
        Assert.True(type.IsTransient);
        Assert.Equal(3, type.GetBodyBytes(message));
        Assert.Equal(body, copy);
    }

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, byte[] body) => Decode(type, new ReadOnlySequence<byte>(body));

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, ReadOnlySequence<byte> body)
    {
        TMessage? decoded = default;
        FrameScan.VisitBody(body, (in Frame frame) => decoded = type.TryDecode(in frame, out TMessage? message) ? message : default);
        return decoded;
    }
}
