using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>A room that the user has just entered, by making or by joining it.</summary>
/// <param name="Id">The room's number.</param>
/// <param name="Name">What it is called.</param>
/// <param name="Members">Its members.</param>
/// <param name="LatestSequence">What came before is history.</param>
/// <param name="History">The last of it, oldest first.</param>
/// <param name="SeenUpTo">The last sequence that the user saw before the connection was lost; 0 for a room that is entered anew.</param>
internal sealed record RoomEntry(
    long Id, string Name, IReadOnlyList<Member> Members, long LatestSequence, IReadOnlyList<SRoomChatNtf> History, long SeenUpTo = 0)
{
    /// <summary>Whether the user saw the room before, so that only what is new is shown.</summary>
    public bool IsReturn => SeenUpTo > 0;
}
