using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Core.Framing;

namespace PlayChat.Protobuf;

/// <summary>A protobuf packet whose received messages are used again: each thread keeps the last one that came back.</summary>
/// <remarks>Messages that no handler gets, such as those for JSON, are new: they must not take the spare one.</remarks>
internal sealed class ReusedProtobufPacket<TMessage>(ushort id, string name, MessageParser<TMessage> parser)
    : ProtobufPacket<TMessage>(id, name, parser, isTransient: true)
    where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
{
    // The parser asks Take for an instance and gets a cleared one. It discards unknown fields, because Return could not clear them.
    private static readonly MessageParser<TMessage> s_parser = new MessageParser<TMessage>(Take).WithDiscardUnknownFields(true);

    [ThreadStatic]
    private static TMessage? s_spare;

    private readonly IFieldAccessor[] _fields =
        [.. new TMessage().Descriptor.Fields.InFieldNumberOrder().Select(static field => field.Accessor)];

    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message) =>
        TryParse(s_parser, in frame, out message);

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
