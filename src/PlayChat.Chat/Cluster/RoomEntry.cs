using PlayChat.Chat.Rooms;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>A record that was read from the cluster's log. Immutable.</summary>
/// <param name="Kind">The kind of record.</param>
/// <param name="Position">Where it stands in the log.</param>
/// <param name="Origin">The node that published it.</param>
/// <param name="RoomId">The room.</param>
/// <param name="UserId">The player.</param>
/// <param name="Token">The sender's client_message_id; of a direct message, its number; 0 for none.</param>
/// <param name="Body">Its content.</param>
internal sealed record RoomEntry(
    RoomEntryKind Kind,
    LogPosition Position,
    RecordOrigin Origin,
    long RoomId,
    long UserId,
    ulong Token,
    RoomEntryBody Body)
{
    // An epoch is the second in which its log began, so a later epoch begins above every sequence of an earlier one as long as a log takes
    // fewer than 65,536 batches a second on average. Small epochs are those of logs that only count them.
    private const uint FirstSecond = 1_760_000_000;
    private const uint FirstTimeEpoch = 1_000_000;
    private const int SecondBits = 28;
    private const int CountBits = 52;

    /// <summary>The entry's place in its room. It also rises from one epoch to the next.</summary>
    public long Sequence { get; } = SequenceOf(Position);

    /// <summary>The event that members receive.</summary>
    public RoomEvent ToEvent(long previous, Member who) => Kind switch
    {
        RoomEntryKind.Chat => new RoomEvent(RoomEventKind.Chat, Sequence, previous, Body.SentAtUnixMs, who, Body.Text, Bytes: 0),
        RoomEntryKind.Joined => new RoomEvent(RoomEventKind.Join, Sequence, previous, SentAtUnixMs: 0, who, "", Bytes: 0),
        RoomEntryKind.Edited => ToChange(RoomEventKind.Edit, previous, who),
        RoomEntryKind.Reacted => ToChange(RoomEventKind.React, previous, who),
        RoomEntryKind.Unreacted => ToChange(RoomEventKind.Unreact, previous, who),
        _ => new RoomEvent(
            RoomEventKind.Leave, Sequence, previous, Body.SentAtUnixMs, who,
            Body.Text.Length > 0 ? Body.Text : $"{who.Name} has left the room.", Bytes: 0),
    };

    /// <summary>The record of the chat log, for an entry that is a message.</summary>
    public ChatRecord ToRecord() =>
        ToEvent(previous: 0, new Member { PlayerId = UserId, Name = Body.Name }).ToRecord(RoomId, roomName: null, Token);

    private RoomEvent ToChange(RoomEventKind kind, long previous, Member who) =>
        new(kind, Sequence, previous, Body.SentAtUnixMs, who, Body.Text, Bytes: 0, Target: Body.SessionId);

    public static long SequenceOf(LogPosition position) => position.Sequence + (position.Epoch < FirstTimeEpoch
        ? (long)(Math.Max(1, position.Epoch) - 1) << CountBits
        : (long)(position.Epoch - Math.Min(position.Epoch, FirstSecond)) << SecondBits);
}
