using System.Buffers;
using System.Text;
using PlayChat.Core.Packets;
using PlayChat.Core.Tests.Packets;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class PacketJsonTests : IDisposable
{
    private readonly PacketJson _json = new(new PacketSet().AddJson(7, JsonMoves.Default.JsonMove, "MOVE").AddRaw(9, "RAW"));
    private readonly StubLink _inner = new() { Sent = new MemoryStream() };

    public void Dispose() => _inner.Dispose();

    [Theory]
    [InlineData("""{"type":"MOVE","requestId":258,"body":{"x":1}}""", "0000000B000701027B2278223A317D")]
    [InlineData("""{"body":{"x":1},"type":7}""", "0000000B000700007B2278223A317D")]
    [InlineData("""{"type":"RAW","payload":"aGk="}""", "00000006000900006869")]
    [InlineData("""{"type":9}""", "0000000400090000")]
    [InlineData("""{"type":1234,"requestId":1}""", "0000000404D20001")]
    [InlineData("""{"type":"HEARTBEAT","requestId":1}""", "00000004FFFF0001")]
    public void A_JSON_object_is_read_as_a_packet(string json, string packet)
    {
        var bytes = new ArrayBufferWriter<byte>();

        bool isPacket = _json.TryRead(Encoding.UTF8.GetBytes(json), bytes, out WebSocketFault fault, out string? problem);

        Assert.Equal((true, WebSocketFault.None, null), (isPacket, fault, problem));
        Assert.Equal(packet, Convert.ToHexString(bytes.WrittenSpan));
    }

    [Theory]
    [InlineData("0000000B000701027B2278223A317D", """{"type":"MOVE","requestId":258,"body":{"x":1}}""")]
    [InlineData("00000006000900006869", """{"type":"RAW","payload":"aGk="}""")]
    [InlineData("0000000400070000", """{"type":"MOVE"}""")]
    [InlineData("0000000700070000312C32", """{"type":"MOVE","payload":"MSwy"}""")]
    [InlineData("00000006123400006869", """{"type":4660,"payload":"aGk="}""")]
    [InlineData("00000004FFFF0001", """{"type":"HEARTBEAT","requestId":1}""")]
    public void A_packet_is_written_as_a_JSON_object(string packet, string json)
    {
        var text = new ArrayBufferWriter<byte>();

        _json.Write(Convert.FromHexString(packet), text);

        Assert.Equal(json, Encoding.UTF8.GetString(text.WrittenSpan));
    }

    [Theory]
    [InlineData("", "JSON")]
    [InlineData("{", "JSON")]
    [InlineData("[]", "one JSON object")]
    [InlineData("{\"type\":\"\\ud800\"}", "UTF-16")]
    [InlineData("{\"\\ud800\":1}", "UTF-16")]
    [InlineData("{}", "'type'")]
    [InlineData("""{"type":"NONE"}""", "'type'")]
    [InlineData("""{"type":70000}""", "'type'")]
    [InlineData("""{"type":7,"requestId":70000}""", "'requestId'")]
    [InlineData("""{"type":7,"requestId":"1"}""", "'requestId'")]
    [InlineData("""{"type":7,"bdy":{}}""", "'bdy'")]
    [InlineData("""{"type":7,"payload":"*"}""", "'payload'")]
    [InlineData("""{"type":9,"body":{}}""", "RAW")]
    [InlineData("""{"type":1234,"body":{}}""", "payload")]
    public void What_is_no_packet_is_refused_with_a_sentence(string json, string hint)
    {
        var bytes = new ArrayBufferWriter<byte>();

        bool isPacket = _json.TryRead(Encoding.UTF8.GetBytes(json), bytes, out WebSocketFault fault, out string? problem);

        Assert.Equal((false, WebSocketFault.BadJson), (isPacket, fault));
        Assert.Contains(hint, problem, StringComparison.Ordinal);
        Assert.Equal(0, bytes.WrittenCount);
    }

    [Fact]
    public async Task A_link_reads_packets_from_text_messages_however_they_are_cut()
    {
        byte[] stream =
        [
            .. ClientFrames.Of(WebSocketOpcode.Text, """{"type":"RAW","pay"""u8.ToArray(), isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Ping, []),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, """load":"aGk="}"""u8.ToArray()),
            .. ClientFrames.Of(WebSocketOpcode.Text, """{"type":9}"""u8.ToArray()),
        ];
        for (int cut = 1; cut < stream.Length; cut++)
        {
            using var inner = new StubLink();
            using var link = new WebSocketConnection(inner, 1000, json: new JsonTranscoder(_json));
            inner.Feed(stream.AsMemory(0, cut));
            inner.Feed(stream.AsMemory(cut));

            List<byte> packets = [];
            byte[] buffer = new byte[40];
            for (int i = 0; i < 20 && packets.Count < 18; i++)
            {
                int received = await link.ReceiveAsync(buffer);
                packets.AddRange(buffer[..Math.Max(received, 0)]);
            }

            Assert.Equal("000000060009000068690000000400090000", Convert.ToHexString([.. packets]));
        }
    }

    [Fact]
    public async Task What_a_link_gathers_of_a_message_is_unfinished()
    {
        using var link = new WebSocketConnection(_inner, 1000, json: new JsonTranscoder(_json));
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Text, """{"type":"""u8.ToArray(), isFinal: false));
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Continuation, "9}"u8.ToArray()));
        byte[] buffer = new byte[100];

        await link.ReceiveAsync(buffer);
        Assert.Equal(1 + 8, link.UnfinishedBytes);
        await link.ReceiveAsync(buffer);
        Assert.Equal(0, link.UnfinishedBytes);
    }

    [Fact]
    public async Task A_link_sends_each_packet_as_a_text_message_of_its_own()
    {
        using var link = new WebSocketConnection(_inner, 1000, json: new JsonTranscoder(_json));

        Assert.True(await link.SendAsync(Convert.FromHexString("00000006000900006869" + "0000000400090001")));

        byte[] expected =
        [
            0x81, 31, .. """{"type":"RAW","payload":"aGk="}"""u8, 0x81, 28, .. """{"type":"RAW","requestId":1}"""u8,
        ];
        Assert.Equal(expected, _inner.Sent!.ToArray());
        Assert.Equal(1, _inner.Sends);
    }

    [Theory]
    [InlineData("{\"type\":", 1007, "JSON")]
    [InlineData("\u00ff", 1007, "UTF-8")]
    public async Task A_text_message_that_is_no_packet_closes_with_a_sentence(string text, int code, string hint)
    {
        using var link = new WebSocketConnection(_inner, 1000, json: new JsonTranscoder(_json));
        _inner.Feed((byte[])
        [
            .. ClientFrames.Of(WebSocketOpcode.Text, """{"type":9}"""u8.ToArray()),
            .. ClientFrames.Of(WebSocketOpcode.Text, Encoding.Latin1.GetBytes(text)),
        ]);
        byte[] buffer = new byte[100];

        Assert.Equal(8, await link.ReceiveAsync(buffer)); // the packet before it
        Assert.Equal(-1, await link.ReceiveAsync(buffer));
        Assert.Equal(CloseReason.ProtocolViolation, link.TakeViolation());
        link.Shutdown(CloseReason.ProtocolViolation);

        byte[] close = _inner.Sent!.ToArray();
        Assert.Equal([(byte)(code >> 8), (byte)code], close[2..4]);
        Assert.Contains(hint, Encoding.UTF8.GetString(close.AsSpan(4)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Binary_on_the_JSON_form_is_refused()
    {
        using var link = new WebSocketConnection(_inner, 1000, json: new JsonTranscoder(_json));
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Binary, [1]));

        Assert.Equal(-1, await link.ReceiveAsync(new byte[100]));
        Assert.Equal(CloseReason.ProtocolViolation, link.TakeViolation());
        link.Shutdown(CloseReason.ProtocolViolation);

        Assert.Equal([0x03, 0xEB], _inner.Sent!.ToArray()[2..4]);
    }
}
