namespace PlayChat.Core.Packets;

/// <summary>Keeps a value out of the recordings of rooms, for example a password or what players say.</summary>
/// <remarks>
/// On a property or a record's parameter of a JSON message, the value is recorded as an empty string, 0, false, an empty list or null. On
/// that of another message, and on a message itself, the whole content is left out, and a replay stops at such a packet. Only the
/// properties of the message itself count, not those of objects in it. A replay then has the empty value; give the attribute also to what
/// the room sends because of it, so that the replay finds no difference.
/// </remarks>
[AttributeUsage(
    AttributeTargets.Property | AttributeTargets.Parameter | AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class NotRecordedAttribute : Attribute;
