namespace PlayChat.Storage.Sql;

/// <summary>A row of the table session_token, with the name of its account.</summary>
internal sealed class ResumeTokenRow
{
    public long PlayerId { get; set; }

    public string PlayerName { get; set; } = "";

    public string Newest { get; set; } = "";

    public string? Used { get; set; }

    public bool CloseIsLeave { get; set; }

    public StoredTime ExpiresAt { get; set; }

    public int TokenVersion { get; set; }

    public long LoginTokenId { get; set; }

    public ResumeTokenHashes ToHashes() =>
        new(PlayerId, PlayerName, Newest, Used, CloseIsLeave, ExpiresAt.Value, TokenVersion) { LoginTokenId = LoginTokenId };
}
