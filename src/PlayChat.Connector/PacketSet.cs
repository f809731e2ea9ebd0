using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace PlayChat.Connector;

/// <summary>The packets of one protocol, by id and by message. Put together by one thread before a client has it, and thread-safe from then
/// on.</summary>
/// <remarks>Nothing here needs reflection that a stripping compiler breaks: how a message is read and written is passed in.</remarks>
public sealed class PacketSet
{
    private readonly Dictionary<ushort, PacketType> _byId = new();
    private readonly Dictionary<Type, PacketType?> _byMessage = new(); // null: several
    private readonly HashSet<ushort> _failures = new();
    private volatile bool _sealed;

    /// <summary>Adds a kind of packet.</summary>
    /// <param name="type">The kind of packet.</param>
    /// <param name="isFailure">Whether the packet says that a request has failed, whatever answer was asked for. Default false.</param>
    /// <exception cref="InvalidOperationException">
    /// Another one has the id, the id is 65,535 (reserved for heartbeats), or a client uses the set already.
    /// </exception>
    public PacketSet Add<TMessage>(PacketType<TMessage> type, bool isFailure = false)
    {
        if (type is null)
        {
            throw new ArgumentNullException(nameof(type));
        }

        if (_sealed || type.Id == PacketIds.Heartbeat)
        {
            throw new InvalidOperationException(
                _sealed ? $"Packet {type} comes too late: a client uses the set." : $"The id of packet {type} is reserved for heartbeats.");
        }

        if (!_byId.TryAdd(type.Id, type))
        {
            throw new InvalidOperationException($"Packet id {type.Id} is used twice: by {_byId[type.Id].Name} and by {type.Name}.");
        }

        if (!_byMessage.TryAdd(typeof(TMessage), type))
        {
            _byMessage[typeof(TMessage)] = null;
        }

        if (isFailure)
        {
            _failures.Add(type.Id);
        }

        return this;
    }

    /// <summary>Adds a packet with an encoding of its own, such as protobuf:
    /// <c>Add(7, Moved.Parser.ParseFrom, MessageExtensions.ToByteArray)</c>.</summary>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="decode">Reads a body, which is the message's own. It throws when the body is no such message.</param>
    /// <param name="encode">Writes a message.</param>
    /// <param name="name">Its name in messages of exceptions; the message's name by default.</param>
    /// <param name="isFailure">Whether the packet says that a request has failed. Default false.</param>
    /// <exception cref="InvalidOperationException">See <see cref="Add{TMessage}(PacketType{TMessage}, bool)"/>.</exception>
    public PacketSet Add<TMessage>(
        ushort id, Func<byte[], TMessage> decode, Func<TMessage, byte[]> encode, string? name = null, bool isFailure = false) =>
        Add(new PacketType<TMessage>(id, name ?? typeof(TMessage).Name, decode, encode), isFailure);

    /// <summary>Adds a packet whose body is JSON in UTF-8. Its id, and whether it is a failure, are those of the message's
    /// <see cref="PacketIdAttribute"/>.</summary>
    /// <param name="type">How the message is read and written: of a source-generated context, such as <c>GameJson.Default.Join</c>.</param>
    /// <exception cref="InvalidOperationException">
    /// The message has no such attribute, or see <see cref="Add{TMessage}(PacketType{TMessage}, bool)"/>.
    /// </exception>
    public PacketSet AddJson<TMessage>(JsonTypeInfo<TMessage> type) =>
        AddJson(PacketIds.Of(typeof(TMessage), out bool isFailure), type, isFailure: isFailure);

    /// <summary>Adds a packet whose body is JSON in UTF-8.</summary>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="type">How the message is read and written: of a source-generated context, such as <c>GameJson.Default.Join</c>.</param>
    /// <param name="name">Its name in messages of exceptions; the message's name by default.</param>
    /// <param name="isFailure">Whether the packet says that a request has failed. Default false.</param>
    /// <exception cref="InvalidOperationException">See <see cref="Add{TMessage}(PacketType{TMessage}, bool)"/>.</exception>
    public PacketSet AddJson<TMessage>(ushort id, JsonTypeInfo<TMessage> type, string? name = null, bool isFailure = false)
    {
        if (type is null)
        {
            throw new ArgumentNullException(nameof(type));
        }

        return Add(id, body => Read(body, type), message => JsonSerializer.SerializeToUtf8Bytes(message, type), name, isFailure);
    }

    /// <summary>Adds a packet whose message is its body: a <c>byte[]</c>, such as a state for <c>StateReplica.Apply</c>.</summary>
    /// <param name="id">Its number on the wire. Several raw packets are told apart by their ids when they are mapped and sent.</param>
    /// <param name="name">Its name in messages of exceptions.</param>
    /// <exception cref="InvalidOperationException">See <see cref="Add{TMessage}(PacketType{TMessage}, bool)"/>.</exception>
    public PacketSet AddRaw(ushort id, string name) => Add<byte[]>(id, static body => body, static body => body, name);

    internal PacketSet Seal()
    {
        _sealed = true;
        return this;
    }

    internal PacketType? Find(ushort id) => _byId.GetValueOrDefault(id);

    internal bool IsFailure(ushort id) => _failures.Contains(id);

    internal PacketType<TMessage> Get<TMessage>(ushort? id = null) =>
        (id is { } number ? Find(number) : Get(typeof(TMessage))) as PacketType<TMessage>
            ?? throw new InvalidOperationException($"No packet with the id {id} carries {typeof(TMessage)}. Add it to the set.");

    internal PacketType Get(Type message)
    {
        _ = _byMessage.TryGetValue(message, out PacketType? type);
        return type ?? throw new InvalidOperationException(_byMessage.ContainsKey(message)
            ? $"Several packets carry {message}. Pass the id of the packet."
            : $"No packet carries {message}. Add one to the set.");
    }

    // Without spans: beside the package System.Memory, which older runtimes need, those of System.Text.Json are types of their own.
    private static TMessage Read<TMessage>(byte[] body, JsonTypeInfo<TMessage> type)
    {
        using var stream = new MemoryStream(body, writable: false);
        return JsonSerializer.Deserialize(stream, type) ?? throw new JsonException("The JSON value is null.");
    }
}
