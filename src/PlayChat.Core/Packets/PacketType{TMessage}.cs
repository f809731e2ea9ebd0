namespace PlayChat.Core.Packets;

/// <summary>One kind of packet: its id, and how its body becomes a message and back. Thread-safe.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
public abstract class PacketType<TMessage> : PacketType
{
    /// <summary>Makes the type.</summary>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="name">What it is called in logs.</param>
    /// <param name="isTransient">See <see cref="PacketType.IsTransient"/>. Default false: each message is the handler's own.</param>
    protected PacketType(ushort id, string name, bool isTransient = false)
        : base(id, name, typeof(TMessage), isTransient)
    {
    }

    /// <summary>Reads a message.</summary>
    /// <param name="frame">A view; the message must not keep it, unless the type is transient and the message keeps its <see
    /// cref="Frame.Body"/>.</param>
    /// <param name="message">The message.</param>
    /// <returns><see langword="false"/> when the body is not such a message. Do not throw for what a peer sent.</returns>
    public abstract bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message);

    /// <summary>How many bytes <see cref="Encode"/> will write.</summary>
    public abstract int GetBodyBytes(TMessage message);

    /// <summary>Writes a message.</summary>
    /// <param name="message">Not changed since <see cref="GetBodyBytes"/>.</param>
    /// <param name="destination">Exactly as long as that said.</param>
    public abstract void Encode(TMessage message, Span<byte> destination);

    /// <summary>Encodes a message into memory of its own: for the log of a cluster, or to be copied to where it is sent.</summary>
    internal byte[] EncodeBody(TMessage message)
    {
        byte[] body = new byte[GetBodyBytes(message)];
        Encode(message, body);
        return body;
    }

    /// <summary>Takes back a decoded message with which its handler is done. Called for transient types alone, once a message; does nothing
    /// by default.</summary>
    public virtual void Return(TMessage message)
    {
    }

    internal sealed override bool SendObject(IPacketSender sender, object message, ushort requestId) =>
        sender.Send(this, (TMessage)message, requestId);

    internal sealed override void ReturnObject(object message) => Return((TMessage)message);

    private protected sealed override object? DecodeObject(in Frame frame) =>
        TryDecode(in frame, out TMessage? message) ? message : null;
}
