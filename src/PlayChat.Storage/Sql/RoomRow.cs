namespace PlayChat.Storage.Sql;

/// <summary>A row of the table room.</summary>
[method: ExplicitConstructor]
internal sealed record RoomRow(
    long RoomId, string? RoomName, long LastSequence, StoredTime? CreatedAt, RoomState State, string? Attributes)
{
    public RoomPosition ToPosition() => new(RoomId, RoomName, LastSequence, CreatedAt?.Value, State, Attributes);
}
