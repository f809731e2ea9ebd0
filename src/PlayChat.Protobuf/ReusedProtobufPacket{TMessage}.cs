using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protobuf;

/// <summary>A protobuf packet whose received messages are used again: each thread keeps the last one that came back.</summary>
internal sealed class ReusedProtobufPacket<TMessage> : PacketType<TMessage>
    where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
{
    // The parser asks Take for an instance and gets a cleared one. It discards unknown fields, because Return could not clear them.
    private static readonly MessageParser<TMessage> s_parser = new MessageParser<TMessage>(Take).WithDiscardUnknownFields(true);

    [ThreadStatic]
    private static TMessage? s_spare;

    // For JSON, whose messages are not handed to a handler: they must not take the spare one.
    private static readonly MessageParser<TMessage> s_own =
        new MessageParser<TMessage>(static () => new TMessage()).WithDiscardUnknownFields(true);

    private static readonly MessageDescriptor s_descriptor = new TMessage().Descriptor;

    private readonly IFieldAccessor[] _fields =
        [.. s_descriptor.Fields.InFieldNumberOrder().Select(static field => field.Accessor)];

    public ReusedProtobufPacket(ushort id, string name)
        : base(id, name, isTransient: true)
    {
    }

    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message) =>
        ProtobufPacket<TMessage>.TryParse(s_parser, in frame, out message);

    public override string? DescribeProblem(in Frame frame) => ProtobufPacket<TMessage>.FindProblem(s_parser, in frame);

    public override bool TryWriteJson(ReadOnlySpan<byte> body, IBufferWriter<byte> json) => ProtobufJson.TryWrite(s_own, body, json);

    public override bool TryReadJson(ReadOnlySpan<byte> json, IBufferWriter<byte> body, [NotNullWhen(false)] out string? problem) =>
        ProtobufJson.TryRead(s_descriptor, json, body, out problem);

    public override int GetBodyBytes(TMessage message) => message.CalculateSize();

    public override void Encode(TMessage message, Span<byte> destination) => message.WriteTo(destination);

    public override void Return(TMessage message)
    {
        foreach (IFieldAccessor field in _fields)
        {
            field.Clear(message);
        }

        s_spare = message;
    }

    private static TMessage Take()
    {
        TMessage message = s_spare ?? new TMessage();
        s_spare = null;
        return message;
    }
}
