namespace PlayChat.Storage.Sql;

/// <summary>A row of the table chat_log.</summary>
internal sealed class ChatRow
{
    public long RoomId { get; set; }

    public long Sequence { get; set; }

    public long PlayerId { get; set; }

    public string PlayerName { get; set; } = "";

    public string Text { get; set; } = "";

    public StoredTime SentAt { get; set; }

    public string? RoomName { get; set; }

    public long? ClientMessageId { get; set; }

    public StoredTime? EditedAt { get; set; }

    public ChatRecord ToRecord() => new(
        RoomId, Sequence, PlayerId, PlayerName, Text, SentAt.Value, RoomName, unchecked((ulong)(ClientMessageId ?? 0)), EditedAt?.Value);

    /// <summary>A client's number as databases hold it, which have no unsigned numbers; null for none.</summary>
    public static long? StoredId(ulong clientMessageId) => clientMessageId == 0 ? null : unchecked((long)clientMessageId);
}
