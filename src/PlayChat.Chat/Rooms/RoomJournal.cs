namespace PlayChat.Chat.Rooms;

/// <summary>The sequences of a room's events, and its memory of the newest ones.</summary>
/// <remarks>
/// For the room's turn alone, except <see cref="LatestSequence"/>. An event gets its sequence before anything else happens with it.
/// </remarks>
/// <param name="services">What all rooms have in common.</param>
/// <param name="earlier">Where the room stood in an earlier run; <see langword="null"/> for a new room.</param>
/// <param name="said">The last messages of that run, oldest first.</param>
internal sealed class RoomJournal(ChatRoomServices services, RoomPosition? earlier, IReadOnlyList<ChatRecord> said)
{
    private readonly RoomSequence _sequence = new(
        earlier?.LastSequence ?? 0, earlier is { State: RoomState.Open } ? RoomArchive.SkippedSequences : 0);

    /// <summary>The newest events.</summary>
    // The last sequence may be a join's, or in a cluster that of another room: the store need not have it.
    public RoomHistory History { get; private set; } =
        CreateHistory(services, earlier?.LastSequence ?? 0, lastMessage: said.Count == 0 ? 0 : said[^1].Sequence);

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => _sequence.Latest;

    /// <summary>Creates an event with the next sequence.</summary>
    public RoomEvent Next(RoomEventKind kind, Member who, string text = "")
    {
        (long sequence, long previous) = _sequence.Next();
        long sentAt = kind == RoomEventKind.Join ? 0 : services.Time.GetUtcNow().ToUnixTimeMilliseconds();
        return new RoomEvent(kind, sequence, previous, sentAt, who, text, Bytes: 0);
    }

    /// <summary>Notes the sequence of an event that got it elsewhere, before the event is added.</summary>
    public void Advance(long sequence) => _sequence.Advance(sequence);

    /// <summary>Forgets the events up to a sequence, because some of them are not known.</summary>
    public void Restart(long behind)
    {
        _sequence.Advance(behind);
        History = CreateHistory(services, behind, lastMessage: null);
    }

    /// <summary>Reads the newest messages, for a joining player.</summary>
    public List<SRoomChatNtf> ReadNewest(long roomId, long readerId) =>
        History.Before(roomId, long.MaxValue, services.Settings.HistoryOnJoin, services.History.PageBytes, readerId).Messages;

    private static RoomHistory CreateHistory(ChatRoomServices services, long behind, long? lastMessage) =>
        new(services.Settings.HistoryMessages, services.Settings.HistoryBytes, behind, lastMessage);
}
