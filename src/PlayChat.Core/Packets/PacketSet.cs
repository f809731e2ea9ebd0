using System.Text.Json.Serialization.Metadata;

namespace PlayChat.Core.Packets;

/// <summary>The packets of one protocol, by id and by message. Put together by one thread before start, and thread-safe from then
/// on.</summary>
public sealed class PacketSet
{
    private readonly Dictionary<ushort, PacketType> _byId = [];
    private readonly Dictionary<Type, PacketType?> _byMessage = []; // null: several
    private readonly HashSet<PacketType> _failures = [];
    private volatile bool _sealed;

    /// <summary>All packets of the set, by rising id.</summary>
    public IEnumerable<PacketType> All => _byId.Values.OrderBy(static type => type.Id);

    /// <summary>Adds a kind of packet.</summary>
    /// <param name="type">The kind of packet.</param>
    /// <param name="isFailure">Whether the packet says that a request has failed, whatever answer was asked for. Default false.</param>
    /// <exception cref="InvalidOperationException">
    /// Another one has the id, the id is 65,535 (reserved for heartbeats), or a server uses the set already.
    /// </exception>
    public PacketSet Add<TMessage>(PacketType<TMessage> type, bool isFailure = false)
    {
        ArgumentNullException.ThrowIfNull(type);
        AddType(type, isFailure);
        return this;
    }

    /// <summary>Adds all packets of another set.</summary>
    /// <exception cref="InvalidOperationException">An id is there already, or a server uses the set.</exception>
    public PacketSet Add(PacketSet packets)
    {
        ArgumentNullException.ThrowIfNull(packets);
        foreach (PacketType type in packets.All)
        {
            AddType(type, packets.IsFailure(type));
        }

        return this;
    }

    /// <summary>
    /// Adds a packet whose body is JSON in UTF-8. Its id, and whether it is a failure, are those of the message's
    /// <see cref="PacketIdAttribute"/>: for messages of another assembly, such as a contract that clients share.
    /// </summary>
    /// <param name="type">How the message is read and written: of a source-generated context.</param>
    /// <exception cref="InvalidOperationException">
    /// The message has no such attribute, another packet has the id, or a server uses the set already.
    /// </exception>
    public PacketSet AddJson<TMessage>(JsonTypeInfo<TMessage> type) =>
        AddJson(PacketIds.Of(typeof(TMessage), out bool isFailure), type, isFailure: isFailure);

    /// <summary>Adds a packet whose body is JSON in UTF-8.</summary>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="type">How the message is read and written: from a source-generated context, so that nothing needs reflection.</param>
    /// <param name="name">Its name in logs; the message's name by default.</param>
    /// <param name="isFailure">Whether the packet says that a request has failed, whatever answer was asked for. Default false.</param>
    /// <remarks>For small messages that are rarely sent: it allocates, and a message is written twice, first for its length.</remarks>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public PacketSet AddJson<TMessage>(ushort id, JsonTypeInfo<TMessage> type, string? name = null, bool isFailure = false)
    {
        ArgumentNullException.ThrowIfNull(type);
        return Add(new JsonPacket<TMessage>(id, name ?? typeof(TMessage).Name, type), isFailure);
    }

    /// <summary>
    /// Adds a packet whose message is its body as it came: a <see cref="ReadOnlySequence{T}"/> of bytes, valid until the handler's task has
    /// completed.
    /// </summary>
    /// <param name="id">Its number on the wire. Several raw packets are told apart by their ids when they are mapped and sent.</param>
    /// <param name="name">Its name in logs.</param>
    /// <exception cref="InvalidOperationException">Another packet has the id, or a server uses the set already.</exception>
    public PacketSet AddRaw(ushort id, string name) => Add(new RawPacket(id, name));

    /// <summary>The kind of packet that carries a message.</summary>
    /// <param name="id">The packet's id. Default: the one packet that carries the message.</param>
    /// <exception cref="InvalidOperationException">
    /// There is none with this id, or it carries something else. Or there is no id, and no packet, or more than one, carries the message.
    /// </exception>
    public PacketType<TMessage> Get<TMessage>(ushort? id = null) =>
        id is { } number ? GetCarrier<TMessage>(number) : (PacketType<TMessage>)Get(typeof(TMessage));

    private PacketType<TMessage> GetCarrier<TMessage>(ushort id) => Find(id) switch
    {
        PacketType<TMessage> type => type,
        null => throw new InvalidOperationException($"No packet has the id {id}. Add it to the {nameof(PacketSet)} that is used."),
        PacketType other =>
            throw new InvalidOperationException($"Packet {id} ({other.Name}) carries {other.MessageType}, not {typeof(TMessage)}."),
    };

    /// <summary>The kind of packet with an id, if there is one.</summary>
    public PacketType? Find(ushort id) => _byId.GetValueOrDefault(id);

    /// <summary>The one kind of packet that carries a message, where its type is known only at run time.</summary>
    /// <exception cref="InvalidOperationException">None does, or several do.</exception>
    internal PacketType Get(Type message) =>
        _byMessage.TryGetValue(message, out PacketType? type) && type is not null ? type : throw NotOne(message);

    /// <summary>Whether it was added as one that says that a request has failed.</summary>
    internal bool IsFailure(PacketType type) => _failures.Contains(type);

    /// <summary>The ids of those.</summary>
    internal IEnumerable<ushort> FailureIds => _failures.Select(static type => type.Id);

    /// <summary>The kind of packet with a name, if there is one.</summary>
    internal PacketType? Find(string name) => _byId.Values.FirstOrDefault(type => type.Name.Equals(name, StringComparison.Ordinal));

    /// <summary>From now on it is read by many threads, and so must not change.</summary>
    internal PacketSet Seal()
    {
        _sealed = true;
        return this;
    }

    private InvalidOperationException NotOne(Type message)
    {
        string ids =
            string.Join(", ", All.Where(packet => packet.MessageType == message).Select(static packet => $"{packet.Id} ({packet.Name})"));
        return new InvalidOperationException(ids.Length == 0
            ? $"No packet carries {message}. Add one to the {nameof(PacketSet)} that is used."
            : $"Several packets carry {message}: {ids}. Pass the packet to use explicitly.");
    }

    private void AddType(PacketType type, bool isFailure)
    {
        if (_sealed)
        {
            throw new InvalidOperationException(
                $"Packet {type.Id} ({type.Name}) comes too late: the set is in use. Put it together before, or add it to a set of your "
                    + $"own.");
        }

        if (type.Id == PacketIds.Heartbeat)
        {
            throw new InvalidOperationException(
                $"Packet id {PacketIds.Heartbeat} ({type.Name}) is reserved for heartbeats; take one from 0 to {PacketIds.Heartbeat - 1}.");
        }

        if (!_byId.TryAdd(type.Id, type))
        {
            throw new InvalidOperationException($"Packet id {type.Id} is used twice: by {_byId[type.Id].Name} and by {type.Name}.");
        }

        if (!_byMessage.TryAdd(type.MessageType, type))
        {
            _byMessage[type.MessageType] = null;
        }

        if (isFailure)
        {
            _failures.Add(type);
        }
    }
}
