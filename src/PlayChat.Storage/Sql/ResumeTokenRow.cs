namespace PlayChat.Storage.Sql;

/// <summary>A row of the table session_token, with the name of its account.</summary>
[method: ExplicitConstructor]
internal sealed record ResumeTokenRow(
    long PlayerId, string PlayerName, string Newest, string? Used, bool CloseIsLeave, StoredTime ExpiresAt, int TokenVersion,
    long LoginTokenId)
{
    public ResumeTokenHashes ToHashes() =>
        new(PlayerId, PlayerName, Newest, Used, CloseIsLeave, ExpiresAt.Value, TokenVersion) { LoginTokenId = LoginTokenId };
}
