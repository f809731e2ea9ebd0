using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Dispatch;

/// <summary>One kind of packet: its id, and how its body becomes a message and back. Immutable and thread-safe.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
public abstract class PacketType<TMessage>
{
    /// <summary>Makes the type.</summary>
    /// <param name="id">Its number on the wire.</param>
    /// <param name="name">What it is called in logs.</param>
    protected PacketType(ushort id, string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Id = id;
        Name = name;
    }

    /// <summary>Its number on the wire.</summary>
    public ushort Id { get; }

    /// <summary>What it is called in logs.</summary>
    public string Name { get; }

    /// <summary>Reads a message.</summary>
    /// <param name="frame">A view; the message must not keep it.</param>
    /// <param name="message">What was read.</param>
    /// <returns><see langword="false"/> when the body is no such message. What a peer sent is never an exception.</returns>
    public abstract bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message);

    /// <summary>How many bytes <see cref="Encode"/> will write.</summary>
    public abstract int GetBodyBytes(TMessage message);

    /// <summary>Writes a message.</summary>
    /// <param name="message">Not changed since <see cref="GetBodyBytes"/>.</param>
    /// <param name="destination">Exactly as long as that said.</param>
    public abstract void Encode(TMessage message, Span<byte> destination);

    /// <summary>The header of such a packet.</summary>
    public FrameHeader Header(ushort requestId = 0) => new(Id, requestId);
}
