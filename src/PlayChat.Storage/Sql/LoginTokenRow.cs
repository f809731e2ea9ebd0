namespace PlayChat.Storage.Sql;

/// <summary>A row of the table login_token, with the name of its account.</summary>
[method: ExplicitConstructor]
internal sealed record LoginTokenRow(
    long Id, long PlayerId, string PlayerName, string Newest, string? Used, int TokenVersion, StoredTime CreatedAt, StoredTime UsedAt,
    string ClientVersion)
{
    public LoginTokenHashes ToHashes() =>
        new(Id, PlayerId, PlayerName, Newest, Used, TokenVersion, CreatedAt.Value, UsedAt.Value, ClientVersion);
}
