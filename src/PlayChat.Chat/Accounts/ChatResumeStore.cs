namespace PlayChat.Chat.Accounts;

/// <summary>Keeps the resume tokens of players in the chat's database.</summary>
internal sealed class ChatResumeStore(IChatStore store, bool hasDevices) : IResumeStore
{
    public async ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken)
    {
        var user = (ChatUser)record.User; // each player of this server is one: a login and FindAsync make no other user
        user.TokenHash = record.TokenHash;
        await store.SaveResumeTokensAsync(
            new ResumeTokenHashes(
                user.Id, user.Name, record.TokenHash, record.UsedTokenHash, record.CloseIsLeave, record.ExpiresAt, user.TokenVersion)
            {
                AreAll = !hasDevices,
                LoginTokenId = user.LoginTokenId,
            },
            cancellationToken);
    }

    public async ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken) =>
        await store.FindResumeTokensAsync(tokenHash, cancellationToken) is { } tokens
            ? new ResumeRecord
            {
                User = new ChatUser(tokens.PlayerId, tokens.PlayerName, tokens.TokenVersion)
                {
                    LoginTokenId = tokens.LoginTokenId,
                    ContinuedTokenHash = tokens.Newest,
                },
                TokenHash = tokens.Newest,
                UsedTokenHash = tokens.Used,
                CloseIsLeave = tokens.CloseIsLeave,
                ExpiresAt = tokens.ExpiresAt,
            }
            : null;

    public async ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken) =>
        await store.RemoveResumeTokensAsync(tokenHash, cancellationToken);
}
