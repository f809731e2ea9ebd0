namespace PlayChat.Core.Dispatch;

/// <summary>
/// Makes a method the handler of a packet. The source generator of this package finds it, and <c>router.MapPacketHandlers()</c> maps all of
/// an assembly's: no reflection, no registration by hand.
/// </summary>
/// <remarks>
/// A method of a class, static or not: <c>([PacketContext], message, [CancellationToken])</c>, returning nothing, <see cref="ValueTask"/>
/// or <see cref="Task"/>; the class is made by <see cref="PacketRouter.GetHandler{T}"/>. A method of a room: <c>([PacketContext], member,
/// message)</c>, run in the room's turn, returning nothing or the answer to the request (see <see cref="PacketRouter.MapRoomRequest"/>).
/// </remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PacketAttribute : Attribute
{
    /// <summary>Handles the packet whose id the message's <see cref="Packets.PacketIdAttribute"/> gives.</summary>
    public PacketAttribute()
    {
    }

    /// <summary>Handles a packet.</summary>
    /// <param name="id">A constant of 0 to 65,534, or of an enum.</param>
    public PacketAttribute(object id)
    {
        Id = id;
    }

    /// <summary>The packet's number on the wire, as it was written; <see langword="null"/> for that of the message.</summary>
    internal object? Id { get; }
}
