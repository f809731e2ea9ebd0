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

    // The rules of docs/reference/json.md.
    [Theory]
    [InlineData("{}", null, 5, 0)]
    [InlineData("""{"name":"ann","Other":[1]}""", null, 5, 0)]
    [InlineData("""{"Name":"ann","Suit":1} """, "ann", 5, 1)]
    [InlineData("""{"Name":null,"Count":7,"Suit":9}""", null, 7, 9)]
    public void Json_may_lack_properties_and_have_unknown_ones(string json, string? name, int count, int suit)
    {
        PacketType<JsonOrder> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonOrder).Get<JsonOrder>();

        Assert.Equal(new JsonOrder(name!, count, (JsonSuit)suit), Decode(type, Encoding.UTF8.GetBytes(json)));
    }

    [Theory]
    [InlineData("""{"Suit":"Hearts"}""")]
    [InlineData("""{"Count":"7"}""")]
    [InlineData("""{"Count":7.5}""")]
    [InlineData("""{"Count":3000000000}""")]
    [InlineData("""{"Count":null}""")]
    [InlineData("""{"Count":7,}""")]
    [InlineData("""{"Count":7/**/}""")]
    public void Json_with_a_value_of_another_kind_is_malformed(string json)
    {
        PacketType<JsonOrder> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonOrder).Get<JsonOrder>();

        Assert.Null(Decode(type, Encoding.UTF8.GetBytes(json)));
    }

    [Fact]
    public void Json_without_a_required_property_is_malformed()
    {
        PacketType<JsonTicket> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonTicket).Get<JsonTicket>();

        Assert.Null(Decode(type, "{}"u8.ToArray()));
        Assert.Equal(7, Decode(type, """{"Number":7}"""u8.ToArray())!.Number);
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Json_deeper_than_64_levels_is_malformed(int depth, bool isRead)
    {
        PacketType<JsonOrder> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonOrder).Get<JsonOrder>();
        string json = $$"""{"Other":{{new string('[', depth - 1)}}{{new string(']', depth - 1)}}}""";

        Assert.Equal(isRead, Decode(type, Encoding.UTF8.GetBytes(json)) is not null);
    }

    [Fact]
    public void Json_is_written_with_the_names_of_the_properties_with_nulls_and_in_ascii()
    {
        PacketType<JsonOrder> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonOrder).Get<JsonOrder>();

        Assert.Equal("""{"Name":null,"Count":1,"Suit":1}""", Encode(type, new JsonOrder(null!, 1, JsonSuit.Hearts)));
        Assert.Equal("""{"Name":"\u00E4\u003C","Count":1,"Suit":0}""", Encode(type, new JsonOrder("ä<", 1)));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("{")]
    [InlineData("{} {}")]
    [InlineData("null,\"type\":\"S_X\",\"body\":{}")]
    [InlineData("{\"X\":1,}")]
    [InlineData("{\"X\":1/**/}")]
    [InlineData("\"\u00ff\"")]
    public void A_body_that_is_not_one_JSON_value_in_UTF8_has_no_JSON_form(string latin1)
    {
        PacketType<JsonMove> type = new PacketSet().AddJson(1, JsonMoves.Default.JsonMove).Get<JsonMove>();
        var json = new ArrayBufferWriter<byte>();

        Assert.False(type.TryWriteJson(Encoding.Latin1.GetBytes(latin1), json));
        Assert.Equal(0, json.WrittenCount);
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

    private static string Encode<TMessage>(PacketType<TMessage> type, TMessage message)
    {
        byte[] body = new byte[type.GetBodyBytes(message)];
        type.Encode(message, body);
        return Encoding.UTF8.GetString(body);
    }

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, byte[] body) => Decode(type, new ReadOnlySequence<byte>(body));

    private static TMessage? Decode<TMessage>(PacketType<TMessage> type, ReadOnlySequence<byte> body)
    {
        TMessage? decoded = default;
        FrameScan.VisitBody(body, (in Frame frame) => decoded = type.TryDecode(in frame, out TMessage? message) ? message : default);
        return decoded;
    }
}
