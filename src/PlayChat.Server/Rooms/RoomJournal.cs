using PlayChat.Protocol;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>The order of a room's events, its memory of the newest ones, and its way to the chat log.</summary>
/// <remarks>
/// For the room's turn alone, except <see cref="LatestSequence"/>. An event gets its sequence before anything else happens with it.
/// </remarks>
/// <param name="services">What all rooms have in common.</param>
/// <param name="earlier">Where the room stood in an earlier run; <see langword="null"/> for a new room.</param>
/// <param name="lastMessage">The last message of that run, where it is known and is not the last sequence.</param>
internal sealed class RoomJournal(ChatRoomServices services, RoomPosition? earlier, long? lastMessage)
{
    private readonly RoomSequence _sequence = new(
        earlier?.LastSequence ?? 0, earlier is { State: RoomState.Open } ? RoomArchive.SkippedSequences : 0);

    /// <summary>The newest events.</summary>
    public RoomHistory History { get; private set; } = CreateHistory(services, earlier?.LastSequence ?? 0, lastMessage);

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => _sequence.Latest;

    /// <summary>Notes the sequence of an event that got it elsewhere, before the event is added.</summary>
    public void Advance(long sequence) => _sequence.Advance(sequence);

    /// <summary>Keeps an event that has its sequence.</summary>
    public void Add(in RoomEvent added) => History.Add(in added);

    /// <summary>Forgets the events up to a sequence, because some of them are not known.</summary>
    public void Restart(long behind)
    {
        _sequence.Advance(behind);
        History = CreateHistory(services, behind, lastMessage: null);
    }

    /// <summary>Creates an event with the next sequence.</summary>
    public RoomEvent Next(RoomEventKind kind, Member who, string text = "")
    {
        (long sequence, long previous) = _sequence.Next();
        long sentAt = kind == RoomEventKind.Join ? 0 : services.Time.GetUtcNow().ToUnixTimeMilliseconds();
        return new RoomEvent(kind, sequence, previous, sentAt, who, text, Bytes: 0);
    }

    /// <summary>
    /// Hands a message to the chat log. A message that the log refuses is lost once the memory drops it, so that is noted.
    /// </summary>
    public void Store(in RoomEvent said, long roomId, string roomName, ulong clientMessageId)
    {
        if (!services.Log.Append(said.ToRecord(roomId, roomName, clientMessageId)))
        {
            History.NoteRefused(said.Sequence);
        }
    }

    /// <summary>Reads the newest messages, for a joining player.</summary>
    public List<SRoomChatNtf> ReadNewest(long roomId) =>
        History.Before(roomId, long.MaxValue, services.Settings.HistoryOnJoin, services.History.PageBytes).Messages;

    private static RoomHistory CreateHistory(ChatRoomServices services, long behind, long? lastMessage) =>
        new(services.Settings.HistoryMessages, services.Settings.HistoryBytes, behind, lastMessage);
}
