using System.Buffers;
using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <summary>Adds kinds of packets with the serializers that come with this package.</summary>
public static class PacketSetExtensions
{
    /// <summary>Adds a packet whose body is a protobuf message: read from the received bytes and written into the sent ones, without copies between.</summary>
    /// <param name="packets">The packets of the protocol.</param>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="parser">The generated message's parser.</param>
    /// <param name="name">What it is called in logs; the message's name without.</param>
    /// <param name="reuse">
    /// Whether received messages are used again. Such a message is cleared before, has no unknown fields, and is the handler's until its task has completed: it must not be kept,
    /// nor posted to a room (<see cref="PacketType.IsTransient"/>). Nothing is then allocated for a message of numbers; texts, bytes and messages inside it still are. Default false:
    /// each is a new object, the handler's own.
    /// </param>
    /// <param name="isFailure">Whether it says that a request has failed, see <see cref="PacketSet.AddFailure"/>. Default false.</param>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public static PacketSet AddProtobuf<TMessage>(
        this PacketSet packets, ushort id, MessageParser<TMessage> parser, string? name = null, bool reuse = false, bool isFailure = false)
        where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(parser);
        name ??= typeof(TMessage).Name;
        PacketType<TMessage> type = reuse ? new ReusedProtobufPacket<TMessage>(id, name) : new ProtobufPacket<TMessage>(id, name, parser);
        return isFailure ? packets.AddFailure(type) : packets.Add(type);
    }

    /// <summary>Adds a packet whose body is JSON in UTF-8. For small messages that are rarely sent: it allocates, and a message is written twice, first for its length.</summary>
    /// <param name="packets">The packets of the protocol.</param>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="type">How the message is read and written: from a source-generated context, so that nothing needs reflection.</param>
    /// <param name="name">What it is called in logs; the message's name without.</param>
    /// <param name="isFailure">Whether it says that a request has failed, see <see cref="PacketSet.AddFailure"/>. Default false.</param>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public static PacketSet AddJson<TMessage>(this PacketSet packets, ushort id, JsonTypeInfo<TMessage> type, string? name = null, bool isFailure = false)
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(type);
        var packet = new JsonPacket<TMessage>(id, name ?? typeof(TMessage).Name, type);
        return isFailure ? packets.AddFailure(packet) : packets.Add(packet);
    }

    /// <summary>Adds a packet whose message is its body as it came: a <see cref="ReadOnlySequence{T}"/> of bytes, valid until the handler's task has completed.</summary>
    /// <param name="packets">The packets of the protocol.</param>
    /// <param name="id">Its number on the wire. Several raw packets are told apart by their ids when they are mapped and sent.</param>
    /// <param name="name">What it is called in logs.</param>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public static PacketSet AddRaw(this PacketSet packets, ushort id, string name)
    {
        ArgumentNullException.ThrowIfNull(packets);
        return packets.Add(new RawPacket(id, name));
    }
}
