namespace PlayChat.Core.Rooms;

/// <summary>
/// A message that names the room that handles it. A room's <c>[Packet]</c> method, <c>MapRoomPacket</c> and <c>MapRoomRequest</c> then look
/// for the room with this id, in which the sender must be a member. A message without it goes to the room that the sender entered last.
/// </summary>
/// <remarks>A class that a protobuf compiler writes is partial: implement the interface in a part of your own.</remarks>
public interface IRoomMessage
{
    /// <summary>The id of the room (<see cref="Room.Id"/>).</summary>
    long RoomId { get; }
}
