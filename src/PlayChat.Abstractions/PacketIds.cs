using System.Globalization;
using System.Reflection;

namespace PlayChat.Core.Packets;

/// <summary>The numbers of packets.</summary>
internal static class PacketIds
{
    /// <summary>The id of PlayChat's own heartbeat: see proto/PROTOCOL.md, "Heartbeat packet".</summary>
    internal const ushort Heartbeat = ushort.MaxValue;

    /// <summary>Reads the number of a message.</summary>
    /// <param name="message">A type with <see cref="PacketIdAttribute"/>. Trimming keeps the attributes of the types that it keeps.</param>
    /// <param name="isFailure">See <see cref="PacketIdAttribute.IsFailure"/>.</param>
    /// <exception cref="InvalidOperationException">It has no such attribute, or the number is out of its range.</exception>
    internal static ushort Of(Type message, out bool isFailure)
    {
        PacketIdAttribute attribute = message.GetCustomAttribute<PacketIdAttribute>(inherit: false)
            ?? throw new InvalidOperationException($"{message} has no [PacketId]. Add one, or pass the packet's id.");
        isFailure = attribute.IsFailure;
        decimal id = Convert.ToDecimal(attribute.Id, CultureInfo.InvariantCulture);
        return id is >= 0 and < Heartbeat
            ? (ushort)id
            : throw new InvalidOperationException($"The [PacketId] of {message} is {id}; it must be 0 to {Heartbeat - 1}.");
    }
}
