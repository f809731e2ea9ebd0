namespace PlayChat.Storage.Sql;

/// <summary>A row of the table account.</summary>
internal sealed class AccountRow
{
    public long Id { get; set; }

    public string Name { get; set; } = "";

    public string? PasswordHash { get; set; }

    public StoredTime CreatedAt { get; set; }

    public StoredTime? LastLoginAt { get; set; }

    public bool Disabled { get; set; }

    public int TokenVersion { get; set; }

    public Account ToAccount() => new(Id, Name, PasswordHash, CreatedAt.Value, LastLoginAt?.Value, Disabled, TokenVersion);
}
