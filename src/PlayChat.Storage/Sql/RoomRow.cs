namespace PlayChat.Storage.Sql;

/// <summary>A row of the table room.</summary>
internal sealed class RoomRow
{
    public long RoomId { get; set; }

    public string? RoomName { get; set; }

    public long LastSequence { get; set; }

    public StoredTime? CreatedAt { get; set; }

    public RoomState State { get; set; }

    public string? Attributes { get; set; }

    public RoomPosition ToPosition() => new(RoomId, RoomName, LastSequence, CreatedAt?.Value, State, Attributes);
}
