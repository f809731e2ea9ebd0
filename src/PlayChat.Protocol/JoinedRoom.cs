namespace PlayChat.Protocol;

/// <summary>A room that the client is in, as it stood at one moment.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="Name">The room's name.</param>
/// <param name="Members">
/// The members, the client's own player included, in the order in which they joined. Shared: do not change the messages.
/// </param>
/// <param name="LatestSequence">The sequence of the last message that came, or the one that the answer to the join named.</param>
/// <param name="MissedMessages">Messages of the room that never came since it was joined.</param>
public sealed record JoinedRoom(long RoomId, string Name, IReadOnlyList<Member> Members, long LatestSequence, long MissedMessages)
{
    /// <summary>
    /// Not 0 in a cluster, where sequences rise in steps of any size: <see cref="MissedMessages"/> then counts each hole as one message.
    /// </summary>
    public uint Epoch { get; init; }
}
