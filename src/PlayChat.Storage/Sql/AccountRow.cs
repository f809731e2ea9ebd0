namespace PlayChat.Storage.Sql;

// Without the attribute, here and at the other rows, Dapper asks for a constructor with exactly the types that the driver reads. With it,
// it sets each member and converts the value.
[method: ExplicitConstructor]
internal sealed record AccountRow(
    long Id, string Name, string? PasswordHash, StoredTime CreatedAt, StoredTime? LastLoginAt, bool Disabled, int TokenVersion)
{
    public Account ToAccount() => new(Id, Name, PasswordHash, CreatedAt.Value, LastLoginAt?.Value, Disabled, TokenVersion);
}
