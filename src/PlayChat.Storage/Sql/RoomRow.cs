namespace PlayChat.Storage.Sql;

[method: ExplicitConstructor]
internal sealed record RoomRow(
    long RoomId, string? RoomName, long LastSequence, StoredTime? CreatedAt, RoomState State, string? Attributes)
{
    public RoomPosition ToPosition() => new(RoomId, RoomName, LastSequence, CreatedAt?.Value, State, Attributes);
}
