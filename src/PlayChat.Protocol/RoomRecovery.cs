namespace PlayChat.Protocol;

/// <summary>The state of one room after a broken connection.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="Name">The room's name.</param>
/// <param name="IsMember">Still in the room. Otherwise the player has left it, and may join again.</param>
/// <param name="IsRecovered">
/// Everything that was missed follows as events, in order. After another login these are the messages of players; joins and leaves do not
/// follow, and <see cref="ChatClient.FindRoom"/> has the members. When false, what lies between the two sequences will not come by itself:
/// <see cref="ChatClient.ReadHistoryAfterAsync"/> may still have it. Always false when the server was killed, because the newest messages
/// may be lost.
/// </param>
/// <param name="MissedMessages">
/// When recovered, how many messages of players follow; otherwise how many packets are missing at most. 0 when the server was killed: the
/// number is not known.
/// </param>
/// <param name="LastSequence">The last that the client had seen.</param>
/// <param name="LatestSequence">The room's newest when the client came back; 0 without membership.</param>
public sealed record RoomRecovery(
    long RoomId, string Name, bool IsMember, bool IsRecovered, long MissedMessages, long LastSequence, long LatestSequence);
