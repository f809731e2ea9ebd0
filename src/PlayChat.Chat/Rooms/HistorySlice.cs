namespace PlayChat.Chat.Rooms;

/// <summary>What a room's memory has of a page of its history, and how far its memory reaches.</summary>
/// <param name="Messages">Oldest first; the receiver's own.</param>
/// <param name="More">The memory has more in the direction that was asked for.</param>
/// <param name="LetGoThrough">See <see cref="RoomHistory.LetGoThrough"/>: what is older is in the store alone.</param>
/// <param name="LastLetGo">See <see cref="RoomHistory.LastLetGo"/>.</param>
/// <param name="Refused">See <see cref="RoomHistory.Refused"/>.</param>
/// <param name="Latest">See <see cref="RoomHistory.Latest"/>.</param>
internal sealed record HistorySlice(
    List<SRoomChatNtf> Messages, bool More, long LetGoThrough, long LastLetGo, (long First, long Last) Refused, long Latest)
{
    /// <summary>
    /// Whether messages after one sequence and up to another may be lost: neither in the memory nor taken by the chat log.
    /// </summary>
    public bool HasLost(long after, long through) =>
        Refused.First > 0 && Refused.Last > after && Refused.First <= Math.Min(through, LetGoThrough);
}
