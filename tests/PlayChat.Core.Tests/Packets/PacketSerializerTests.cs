using System.Buffers;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Packets;

public sealed class PacketSerializerTests
{
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
    [InlineData("{\"Y\":fals")]
    public void Json_that_is_no_such_message_is_malformed(string json)
    {
        PacketType<JsonMove> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonMove, "MOVE").Get<JsonMove>();
        byte[] body = Encoding.UTF8.GetBytes(json);

        Assert.Null(Decode(type, body));
        for (int i = 0; i <= body.Length; i++)
        {
            // The last piece is empty: it was the one that made the reader throw.
            Assert.Null(Decode(type, SegmentedBytes.Of([body.AsMemory(0, i), body.AsMemory(i), default])));
        }
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
