namespace PlayChat.Storage.Sql;

/// <summary>A row of the table login_token, with the name of its account.</summary>
internal sealed class LoginTokenRow
{
    public long Id { get; set; }

    public long PlayerId { get; set; }

    public string PlayerName { get; set; } = "";

    public string Newest { get; set; } = "";

    public string? Used { get; set; }

    public int TokenVersion { get; set; }

    public StoredTime CreatedAt { get; set; }

    public StoredTime UsedAt { get; set; }

    public string ClientVersion { get; set; } = "";

    public LoginTokenHashes ToHashes() =>
        new(Id, PlayerId, PlayerName, Newest, Used, TokenVersion, CreatedAt.Value, UsedAt.Value, ClientVersion);
}
