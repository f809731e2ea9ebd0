using System.Text.Json.Serialization;

namespace PlayChat.Core.Packets;

/// <summary>
/// Has the source generator of this package write a static property <c>All</c> into a class: a <see cref="PacketSet"/> of the assembly's
/// messages with <see cref="PacketIdAttribute"/>, as JSON.
/// </summary>
/// <example><c>[JsonPackets(typeof(GameJson))] public static partial class GamePackets;</c></example>
/// <param name="context">
/// A <see cref="JsonSerializerContext"/> of the assembly. The set has the messages for which the context has a
/// <see cref="JsonSerializableAttribute"/>.
/// </param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class JsonPacketsAttribute(Type context) : Attribute
{
    /// <summary>How the messages are read and written.</summary>
    internal Type Context { get; } = context;
}
