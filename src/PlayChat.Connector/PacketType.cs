namespace PlayChat.Connector;

/// <summary>One kind of packet, whatever its message.</summary>
public abstract class PacketType
{
    private protected PacketType(ushort id, string name)
    {
        Id = id;
        Name = string.IsNullOrEmpty(name) ? throw new ArgumentException("A packet has a name.", nameof(name)) : name;
    }

    /// <summary>Its number on the wire.</summary>
    public ushort Id { get; }

    /// <summary>Its name in messages of exceptions.</summary>
    public string Name { get; }

    /// <summary>Name and id.</summary>
    public override string ToString() => $"{Name} ({Id})";

    internal abstract byte[] EncodeObject(object message);

    internal abstract object? DecodeObject(byte[] body);

    /// <summary>Makes a whole packet.</summary>
    internal byte[] Encode(object message, ushort requestId) => Frames.Encode(Id, requestId, EncodeObject(message));
}

/// <summary>One kind of packet: its id, and how its body becomes a message and back. Thread-safe if the two functions are.</summary>
/// <param name="id">Its number on the wire, as on the server.</param>
/// <param name="name">What it is called in messages of exceptions.</param>
/// <param name="decode">Reads a body, which is the message's own. It throws when the body is no such message.</param>
/// <param name="encode">Writes a message. The array is not changed, and not kept for longer than the send.</param>
public sealed class PacketType<TMessage>(ushort id, string name, Func<byte[], TMessage> decode, Func<TMessage, byte[]> encode)
    : PacketType(id, name)
{
    private readonly Func<byte[], TMessage> _decode = decode ?? throw new ArgumentNullException(nameof(decode));
    private readonly Func<TMessage, byte[]> _encode = encode ?? throw new ArgumentNullException(nameof(encode));

    internal override byte[] EncodeObject(object message) => _encode((TMessage)message);

    internal override object? DecodeObject(byte[] body) => _decode(body);

    internal TMessage Decode(byte[] body) => _decode(body);
}
