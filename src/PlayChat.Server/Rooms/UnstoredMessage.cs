using PlayChat.Protocol;

namespace PlayChat.Server.Rooms;

/// <summary>A message that has its place in the room and waits to be stored: nobody has heard it yet.</summary>
/// <param name="Said">What it is.</param>
/// <param name="Request">Who said it; <see langword="null"/> for SYSTEM.</param>
/// <param name="Packet">How it was said; <see langword="null"/> for SYSTEM.</param>
/// <param name="Since">When that was, as a timestamp of the room's clock.</param>
internal sealed record UnstoredMessage(RoomEvent Said, RoomRequest? Request, CRoomChatReq? Packet, long Since)
{
    /// <summary>Those who said it again meanwhile, with the same client_message_id; <see langword="null"/> without.</summary>
    public List<(RoomRequest Request, CRoomChatReq Packet)>? Repeats { get; private set; }

    /// <summary>Has somebody who says it again get the same answer.</summary>
    public void AddRepeat(RoomRequest request, CRoomChatReq packet) => (Repeats ??= []).Add((request, packet));
}
