namespace PlayChat.Chat.Rooms;

/// <summary>Something that has its place in the order of a room. Immutable.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Sequence">Its place.</param>
/// <param name="PreviousSequence">That of the event before it.</param>
/// <param name="SentAtUnixMs">When it got its place: milliseconds since 1970.</param>
/// <param name="Who">The player that spoke, joined or left.</param>
/// <param name="Text">What was said; empty for a join.</param>
/// <param name="Bytes">How long its packet is on the wire.</param>
internal readonly record struct RoomEvent(
    RoomEventKind Kind, long Sequence, long PreviousSequence, long SentAtUnixMs, Member Who, string Text, int Bytes)
{
    /// <summary>Whether something was said, by a player or by SYSTEM: that is what the chat log and the history keep.</summary>
    public bool IsMessage => Kind != RoomEventKind.Join;

    /// <summary>Makes a packet of it, which must be a message.</summary>
    /// <param name="packet">All its fields are set.</param>
    /// <param name="roomId">The room.</param>
    public void Fill(SRoomChatNtf packet, long roomId)
    {
        bool isSystem = Kind == RoomEventKind.Leave;
        packet.RoomId = roomId;
        packet.Sequence = Sequence;
        packet.PreviousSequence = PreviousSequence;
        packet.PlayerId = isSystem ? 0 : Who.PlayerId;
        packet.PlayerName = isSystem ? ChatLimits.SystemName : Who.Name;
        packet.Text = Text;
        packet.SentAtUnixMs = SentAtUnixMs;
        packet.System = isSystem;
        packet.Left = isSystem ? Who : null;
    }

    /// <summary>Makes a record of it for the chat log, which must be a message.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="roomName">The room's name.</param>
    /// <param name="clientMessageId">The sender's number for it; 0 for none.</param>
    public ChatRecord ToRecord(long roomId, string? roomName, ulong clientMessageId)
    {
        (long playerId, string playerName) = Kind == RoomEventKind.Leave ? (0, ChatLimits.SystemName) : (Who.PlayerId, Who.Name);
        var sentAt = DateTimeOffset.FromUnixTimeMilliseconds(SentAtUnixMs);
        return new ChatRecord(roomId, Sequence, playerId, playerName, Text, sentAt, roomName, clientMessageId);
    }

    /// <summary>Makes a packet of it, which must be a join.</summary>
    public SJoinRoomNtf ToJoin(long roomId) =>
        new() { RoomId = roomId, Member = Who, Sequence = Sequence, PreviousSequence = PreviousSequence };

    /// <summary>Makes a packet of it as the history shows it, which must be a message.</summary>
    public SRoomChatNtf ToHistory(long roomId)
    {
        var message = new SRoomChatNtf();
        Fill(message, roomId);
        message.PreviousSequence = 0; // joins are between, which the history does not have
        message.Left = null;
        return message;
    }
}
