namespace PlayChat.Core.Packets;

/// <summary>
/// Gives a message its packet. The source generator of this package puts every such message of an assembly into the set that
/// <c>[JsonPackets]</c> of PlayChat.Core asks for.
/// </summary>
/// <param name="id">A constant of 0 to 65,534, or of an enum: the packet's number on the wire. Never change it once it is in use.</param>
/// <remarks>
/// The message also needs a <c>[JsonSerializable(typeof(…))]</c> on the set's context, which PLAYCHAT009 asks for. A handler of the
/// message can leave the number out: <c>[Packet]</c>.
/// </remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class PacketIdAttribute(object id) : Attribute
{
    /// <summary>The packet's number on the wire, as it was written.</summary>
    internal object Id { get; } = id;

    /// <summary>Whether the packet reports a failed request, for any type of expected answer. Default false.</summary>
    public bool IsFailure { get; set; }

    /// <summary>
    /// For a message that is a request, the message that answers it. Only generated clients read it: they have a method that returns the
    /// answer. Default <see langword="null"/>: not declared.
    /// </summary>
    public Type? Answer { get; set; }
}
