namespace PlayChat.Core.Packets;

/// <summary>One kind of packet, whatever its message: see <see cref="PacketType{TMessage}"/>, from which each kind derives.</summary>
public abstract class PacketType
{
    private protected PacketType(ushort id, string name, Type messageType, bool isTransient)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Id = id;
        Name = name;
        MessageType = messageType;
        IsTransient = isTransient;
    }

    /// <summary>Its number on the wire.</summary>
    public ushort Id { get; }

    /// <summary>The packet's name in logs.</summary>
    public string Name { get; }

    /// <summary>The type of the message that the body decodes to.</summary>
    public Type MessageType { get; }

    /// <summary>
    /// Whether a received message is valid only until its handler's task has completed, because it is a view of what was received or is
    /// used again: it must not be kept, nor posted to a room.
    /// </summary>
    public bool IsTransient { get; }

    internal FrameHeader Header(ushort requestId = 0) => new(Id, requestId);

    /// <summary>Reads a message where its type is not known.</summary>
    /// <param name="frame">See <see cref="PacketType{TMessage}.TryDecode"/>.</param>
    /// <returns><see langword="null"/> when the body is no such message.</returns>
    public object? Decode(in Frame frame) => DecodeObject(in frame);

    /// <summary>Says for the log why a body is no such message, in one or two sentences. Default <see langword="null"/>: unknown.</summary>
    /// <param name="frame">A view, whose body <see cref="PacketType{TMessage}.TryDecode"/> has just refused.</param>
    /// <remarks>
    /// Called for the few malformed packets that are logged, so it may be slow: read the body again and return the error's text. The log
    /// cuts the text at 200 characters and replaces control characters. Do not quote the body: it may hold what a log must not.
    /// </remarks>
    public virtual string? DescribeProblem(in Frame frame) => null;

    /// <summary>
    /// Writes a body as one JSON value, for WebSocket clients that speak JSON. Default: the kind of packet has no JSON form.
    /// </summary>
    /// <param name="body">A view.</param>
    /// <param name="json">Takes the value in UTF-8.</param>
    /// <returns>
    /// <see langword="false"/>, with nothing written, when there is no JSON form or the body is no such message. The client then gets the
    /// body in base64.
    /// </returns>
    /// <remarks>Must not throw because of the body. Thread-safe.</remarks>
    public virtual bool TryWriteJson(ReadOnlySpan<byte> body, IBufferWriter<byte> json) => false;

    /// <summary>Reads a body from JSON, for WebSocket clients that speak JSON. Default: the kind of packet has no JSON form.</summary>
    /// <param name="json">One JSON value in UTF-8. A view.</param>
    /// <param name="body">Takes the body.</param>
    /// <param name="problem">Says in one or two sentences why the value is no such message.</param>
    /// <returns><see langword="false"/> when the value is not such a message. Do not throw for what a peer sent.</returns>
    /// <remarks>Thread-safe.</remarks>
    public virtual bool TryReadJson(ReadOnlySpan<byte> json, IBufferWriter<byte> body, [NotNullWhen(false)] out string? problem)
    {
        problem = $"{Name} has no JSON form.";
        return false;
    }

    private protected abstract object? DecodeObject(in Frame frame);

    /// <summary>Sends a message of this kind where its type is not known. (By an interface: a generic one with a struct lost the struct's
    /// content in native programs.)</summary>
    internal abstract bool SendObject(IPacketSender sender, object message, ushort requestId);

    /// <summary>Takes back a decoded message where its type is not known.</summary>
    internal abstract void ReturnObject(object message);
}
