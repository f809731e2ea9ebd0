using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>A room that the user has just entered, by making or by joining it.</summary>
/// <param name="Id">The room's number.</param>
/// <param name="Name">What it is called.</param>
/// <param name="Members">Who is in it.</param>
/// <param name="LatestSequence">What came before is history.</param>
/// <param name="History">The last of it, oldest first.</param>
internal sealed record RoomEntry(
    long Id, string Name, IReadOnlyList<Member> Members, long LatestSequence, IReadOnlyList<SRoomChatNtf> History);
