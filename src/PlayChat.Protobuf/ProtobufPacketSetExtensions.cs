using Google.Protobuf;
using PlayChat.Core.Packets;

namespace PlayChat.Protobuf;

/// <summary>Adds packets with protobuf bodies to a <see cref="PacketSet"/>.</summary>
public static class ProtobufPacketSetExtensions
{
    /// <summary>Adds a packet whose body is a protobuf message.</summary>
    /// <param name="packets">The packets of the protocol.</param>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="parser">The generated message's parser.</param>
    /// <param name="name">Its name in logs; the message's name by default.</param>
    /// <param name="reuse">
    /// Whether received messages are reused. A reused message is cleared first and belongs to the handler until its
    /// task has completed: the handler must not keep it, nor post it to a room (<see cref="PacketType.IsTransient"/>). A message of numbers
    /// then allocates nothing; strings, bytes and messages inside it still do. Default false: each received message is a new object that
    /// the handler owns.
    /// </param>
    /// <param name="isFailure">Whether the packet says that a request has failed, whatever answer was asked for. Default false.</param>
    /// <remarks>
    /// A message is read from the received bytes and written into the sent ones, without copies between. Unknown fields are skipped and not
    /// kept: a peer must not fill the memory with what no handler reads.
    /// </remarks>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public static PacketSet AddProtobuf<TMessage>(
        this PacketSet packets, ushort id, MessageParser<TMessage> parser, string? name = null, bool reuse = false, bool isFailure = false)
        where TMessage : class, IMessage<TMessage>, IBufferMessage, new()
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(parser);
        name ??= typeof(TMessage).Name;
        return packets.Add(
            reuse ? new ReusedProtobufPacket<TMessage>(id, name, parser) : new ProtobufPacket<TMessage>(id, name, parser), isFailure);
    }
}
