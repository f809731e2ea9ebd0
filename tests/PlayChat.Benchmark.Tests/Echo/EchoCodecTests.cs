using Google.Protobuf;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Tests.Echo;

public sealed class EchoCodecTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(64)]
    [InlineData(300)]
    public void Any_changed_byte_of_an_answer_is_found(int size)
    {
        var codec = new EchoCodec(new EchoSettings(1, 1, size, EchoFraming.Packet));
        byte[] body = new byte[codec.BodyBytes];
        codec.Write(body, 41);

        Assert.True(codec.IsAnswer(body, 41));
        Assert.False(codec.IsAnswer(body, 42));
        Assert.False(codec.IsAnswer(body.AsSpan(1), 41));
        for (int i = 0; i < body.Length; i++)
        {
            body[i] ^= 1;
            Assert.False(codec.IsAnswer(body, 41), $"byte {i}");
            body[i] ^= 1;
        }
    }

    [Fact]
    public void A_packet_request_is_what_the_generated_class_reads()
    {
        var codec = new EchoCodec(new EchoSettings(1, 1, 300, EchoFraming.Packet));
        byte[] body = new byte[codec.BodyBytes];
        codec.Write(body, 1);

        CEchoReq request = CEchoReq.Parser.ParseFrom(body);

        Assert.Equal(300, request.Payload.Length);
        Assert.Equal(body, new SEchoRes { Payload = request.Payload }.ToByteArray());
    }
}
