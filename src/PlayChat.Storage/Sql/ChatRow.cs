namespace PlayChat.Storage.Sql;

[method: ExplicitConstructor]
internal sealed record ChatRow(
    long RoomId, long Sequence, long PlayerId, string PlayerName, string Text, StoredTime SentAt, string? RoomName, long? ClientMessageId,
    StoredTime? EditedAt)
{
    public ChatRecord ToRecord() => new(
        RoomId, Sequence, PlayerId, PlayerName, Text, SentAt.Value, RoomName, unchecked((ulong)(ClientMessageId ?? 0)), EditedAt?.Value);

    /// <summary>A client's number as databases hold it, which have no unsigned numbers; null for none.</summary>
    public static long? StoredId(ulong clientMessageId) => clientMessageId == 0 ? null : unchecked((long)clientMessageId);
}
