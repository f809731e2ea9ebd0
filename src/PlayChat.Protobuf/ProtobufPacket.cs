using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protobuf;

/// <summary>A kind of packet whose body is a protobuf message. Immutable and thread-safe; each decoded message is a new object.</summary>
internal class ProtobufPacket<TMessage>(ushort id, string name, MessageParser<TMessage> parser, bool isTransient = false)
    : PacketType<TMessage>(id, name, isTransient)
    where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
{
    private readonly MessageParser<TMessage> _parser = parser.WithDiscardUnknownFields(true);
    private readonly MessageDescriptor _descriptor = new TMessage().Descriptor;

    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message) => TryParse(_parser, in frame, out message);

    public override int GetBodyBytes(TMessage message) => message.CalculateSize();

    public override void Encode(TMessage message, Span<byte> destination) => message.WriteTo(destination);

    public override string? DescribeProblem(in Frame frame)
    {
        try
        {
            _parser.ParseFrom(frame.Body);
            return null;
        }
        catch (InvalidProtocolBufferException e)
        {
            return e.Message;
        }
    }

    public override bool TryWriteJson(ReadOnlySpan<byte> body, IBufferWriter<byte> json) => ProtobufJson.TryWrite(_parser, body, json);

    public override bool TryReadJson(ReadOnlySpan<byte> json, IBufferWriter<byte> body, [NotNullWhen(false)] out string? problem) =>
        ProtobufJson.TryRead(_descriptor, json, body, out problem);

    /// <summary>Reads a body with a parser of the message.</summary>
    protected static bool TryParse(MessageParser<TMessage> parser, in Frame frame, [MaybeNullWhen(false)] out TMessage message)
    {
        try
        {
            message = frame.TryGetSpan(out ReadOnlySpan<byte> body) ? parser.ParseFrom(body) : parser.ParseFrom(frame.Body);
            return true;
        }
        catch (InvalidProtocolBufferException)
        {
            // What a peer sent is data. The parser reports a body that is no message only by this exception.
            message = null;
            return false;
        }
    }
}
