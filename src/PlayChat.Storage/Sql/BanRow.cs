namespace PlayChat.Storage.Sql;

/// <summary>A row of the table ban.</summary>
internal sealed class BanRow
{
    public BanKind Kind { get; set; }

    public string Subject { get; set; } = "";

    public string Reason { get; set; } = "";

    public StoredTime CreatedAt { get; set; }

    public StoredTime? ExpiresAt { get; set; }

    public Ban ToBan() => new(BanSubject.Of(Kind, Subject), Reason, CreatedAt.Value, ExpiresAt?.Value);
}
