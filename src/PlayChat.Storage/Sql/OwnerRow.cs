namespace PlayChat.Storage.Sql;

/// <summary>The row of the table database_owner.</summary>
internal sealed class OwnerRow
{
    public string OwnerId { get; set; } = "";

    public string Machine { get; set; } = "";

    public int ProcessId { get; set; }

    public StoredTime StartedAt { get; set; }

    public DatabaseOwner ToOwner() => new(OwnerId, Machine, ProcessId, StartedAt.Value);
}
