namespace PlayChat.Chat.Rooms;

/// <summary>Something that has its place in the order of a room. Immutable.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Sequence">Its place.</param>
/// <param name="PreviousSequence">That of the event before it.</param>
/// <param name="SentAtUnixMs">When it got its place: milliseconds since 1970.</param>
/// <param name="Who">The player that spoke, joined, left, was moderated, or changed a message.</param>
/// <param name="Text">What was said; empty for a join and for a message that was deleted. Of a reaction, the emoji.</param>
/// <param name="Bytes">How long its packet is on the wire.</param>
/// <param name="EditedAtUnixMs">When the text of a message was changed; 0 for never.</param>
/// <param name="Target">Of a change and of a reaction, the sequence of the message.</param>
/// <param name="Terms">What applies to the room from now on, if a moderator has changed that.</param>
internal readonly record struct RoomEvent(
    RoomEventKind Kind, long Sequence, long PreviousSequence, long SentAtUnixMs, Member Who, string Text, int Bytes,
    long EditedAtUnixMs = 0, long Target = 0, RoomTerms? Terms = null)
{
    /// <summary>Whether something was said, by a player or by SYSTEM, that the chat log and the history keep.</summary>
    public bool IsMessage => Kind is RoomEventKind.Chat or RoomEventKind.Leave or RoomEventKind.Notice;

    /// <summary>Whether the chat log gets a record of it.</summary>
    public bool IsStored => IsMessage || Kind == RoomEventKind.Edit;

    /// <summary>Makes a packet of it, which must be a message or <see cref="RoomEventKind.Away"/>.</summary>
    /// <param name="packet">All its fields are set.</param>
    /// <param name="roomId">The room.</param>
    public void Fill(SRoomChatNtf packet, long roomId)
    {
        bool isSystem = Kind != RoomEventKind.Chat;
        packet.RoomId = roomId;
        packet.Sequence = Sequence;
        packet.PreviousSequence = PreviousSequence;
        packet.PlayerId = isSystem ? 0 : Who.PlayerId;
        packet.PlayerName = isSystem ? ChatLimits.SystemName : Who.Name;
        packet.Text = Text;
        packet.SentAtUnixMs = SentAtUnixMs;
        packet.System = isSystem;
        packet.Left = Kind is RoomEventKind.Leave or RoomEventKind.Away ? Who : null;
        packet.EditedAtUnixMs = EditedAtUnixMs;
        packet.Deleted = Text.Length == 0;
        packet.Changed = Kind == RoomEventKind.Notice && Terms is null ? Who : null;
        packet.Terms = Terms;
    }

    /// <summary>Makes a record of it for the chat log, which must be a message or a change of one.</summary>
    public ChatRecord ToRecord(long roomId, string? roomName, ulong clientMessageId)
    {
        bool isSystem = Kind is RoomEventKind.Leave or RoomEventKind.Notice;
        (long playerId, string playerName) = isSystem ? (0, ChatLimits.SystemName) : (Who.PlayerId, Who.Name);
        var sentAt = DateTimeOffset.FromUnixTimeMilliseconds(SentAtUnixMs);
        return Kind == RoomEventKind.Edit
            ? new ChatRecord(roomId, Target, playerId, playerName, Text, sentAt, roomName, EditedAt: sentAt)
            : new ChatRecord(roomId, Sequence, playerId, playerName, Text, sentAt, roomName, clientMessageId);
    }

    /// <summary>Makes a packet of it, which must be a join.</summary>
    public SJoinRoomNtf ToJoin(long roomId) =>
        new() { RoomId = roomId, Member = Who, Sequence = Sequence, PreviousSequence = PreviousSequence };

    /// <summary>Makes a packet of it, which must be a change of a message.</summary>
    public SMessageEditedNtf ToEdit(long roomId) => new()
    {
        RoomId = roomId,
        Sequence = Sequence,
        PreviousSequence = PreviousSequence,
        MessageSequence = Target,
        Text = Text,
        EditedAtUnixMs = SentAtUnixMs,
        Editor = Who,
    };

    /// <summary>Makes a packet of it, which must be a reaction.</summary>
    public SReactionNtf ToReaction(long roomId) => new()
    {
        RoomId = roomId,
        Sequence = Sequence,
        PreviousSequence = PreviousSequence,
        MessageSequence = Target,
        Emoji = Text,
        Removed = Kind == RoomEventKind.Unreact,
        Player = Who,
    };

    /// <summary>Makes a packet of it as the history shows it, which must be a message.</summary>
    public SRoomChatNtf ToHistory(long roomId)
    {
        var message = new SRoomChatNtf();
        Fill(message, roomId);
        message.PreviousSequence = 0; // joins are between, which the history does not have
        message.Left = null;
        message.Changed = null;
        message.Terms = null;
        return message;
    }
}
