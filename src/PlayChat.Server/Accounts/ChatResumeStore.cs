using PlayChat.Core.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Accounts;

/// <summary>Keeps the resume tokens of players in the chat's database.</summary>
internal sealed class ChatResumeStore(IChatStore store) : IResumeStore
{
    public async ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken)
    {
        SessionUser user = record.User;
        await store.SaveResumeTokensAsync(
            new ResumeTokenHashes(user.Id, user.Name, record.TokenHash, record.UsedTokenHash, record.CloseIsLeave, record.ExpiresAt),
            cancellationToken);
    }

    public async ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken) =>
        await store.FindResumeTokensAsync(tokenHash, cancellationToken) is { } tokens
            ? new ResumeRecord
            {
                User = new SessionUser(tokens.PlayerId, tokens.PlayerName),
                TokenHash = tokens.Newest,
                UsedTokenHash = tokens.Used,
                CloseIsLeave = tokens.CloseIsLeave,
                ExpiresAt = tokens.ExpiresAt,
            }
            : null;

    public async ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken) =>
        await store.RemoveResumeTokensAsync(tokenHash, cancellationToken);
}
