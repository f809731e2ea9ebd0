using System.Buffers;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using PlayChat.Core.Packets;
using PlayChat.Protocol;
using PlayChat.Protocol.Tests;

namespace PlayChat.Protobuf.Tests;

public sealed class ProtobufJsonTests
{
    [Fact]
    public void What_was_written_as_JSON_is_read_again_for_every_packet()
    {
        var random = new Random(20260102);
        foreach (CatalogEntry packet in PacketCatalog.Entries)
        {
            IMessage message = RandomMessage.Create(packet.Message, random);
            PacketType type = ChatPackets.All.All.Single(type => type.MessageType == message.GetType());
            var json = new ArrayBufferWriter<byte>();
            var body = new ArrayBufferWriter<byte>();

            Assert.True(type.TryWriteJson(packet.Encode(message), json));
            Assert.True(type.TryReadJson(json.WrittenSpan, body, out string? problem), problem);

            Assert.Equal(message, packet.Decode(new ReadOnlySequence<byte>(body.WrittenMemory)));
        }
    }

    [Theory]
    [InlineData("""{"name":"kim","nam":"kim"}""")]
    [InlineData("""{"name":7}""")]
    [InlineData("""{"name":"kim\ud800"}""")]
    [InlineData("""{"name":"kim" """)]
    [InlineData("[]")]
    [InlineData("7")]
    public void JSON_that_is_no_such_message_is_refused_with_a_sentence(string json)
    {
        var body = new ArrayBufferWriter<byte>();

        Assert.False(ChatPackets.CLoginReq.TryReadJson(Encoding.UTF8.GetBytes(json), body, out string? problem));

        Assert.False(string.IsNullOrEmpty(problem));
        Assert.Equal(0, body.WrittenCount);
    }

    [Fact]
    public void A_body_that_is_no_such_message_is_not_written()
    {
        var json = new ArrayBufferWriter<byte>();

        Assert.False(ChatPackets.CLoginReq.TryWriteJson([0x0A, 0x05, 1], json));
        Assert.Equal(0, json.WrittenCount);
    }

    [Fact]
    public void A_valid_message_without_a_JSON_form_is_not_written()
    {
        AssertNotWritten(Timestamp.Parser, new Timestamp { Nanos = -1 });
        AssertNotWritten(Value.Parser, new Value());
        AssertNotWritten(Any.Parser, new Any { TypeUrl = "type.example/Unknown" });
    }

    private static void AssertNotWritten<TMessage>(MessageParser<TMessage> parser, TMessage message)
        where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
    {
        PacketType type = new PacketSet().AddProtobuf(1, parser).Get<TMessage>();
        var json = new ArrayBufferWriter<byte>();

        Assert.False(type.TryWriteJson(message.ToByteArray(), json), type.Name);
        Assert.Equal(0, json.WrittenCount);
    }
}
