using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <summary>A kind of packet whose body is a protobuf message. Decodes from the received bytes and encodes into the sent ones, without copies between.</summary>
/// <typeparam name="TMessage">A generated message.</typeparam>
/// <remarks>Immutable and thread-safe. Each decoded message is a new object, the caller's own.</remarks>
/// <param name="id">The packet id, 0 to 65,535; a router may set a narrower range.</param>
/// <param name="name">The packet's name for logs, as proto/packets.proto writes it.</param>
/// <param name="parser">The generated message's parser.</param>
public sealed class ProtobufPacket<TMessage>(ushort id, string name, MessageParser<TMessage> parser) : PacketType<TMessage>(id, name)
    where TMessage : class, IMessage<TMessage>, IBufferMessage
{
    /// <inheritdoc/>
    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message) => TryParse(parser, in frame, out message);

    /// <inheritdoc/>
    public override int GetBodyBytes(TMessage message) => message.CalculateSize();

    /// <inheritdoc/>
    public override void Encode(TMessage message, Span<byte> destination) => message.WriteTo(destination);

    /// <summary>Reads a body by whatever parser.</summary>
    internal static bool TryParse(MessageParser<TMessage> parser, in Frame frame, [MaybeNullWhen(false)] out TMessage message)
    {
        try
        {
            message = frame.TryGetSpan(out ReadOnlySpan<byte> body) ? parser.ParseFrom(body) : parser.ParseFrom(frame.Body);
            return true;
        }
        catch (InvalidProtocolBufferException)
        {
            // What a peer sent is data; the parser has no way but this to say that it is no message.
            message = null;
            return false;
        }
    }
}
