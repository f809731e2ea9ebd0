using Dapper;

namespace PlayChat.Storage.Sql;

public abstract partial class DatabaseStore
{
    /// <inheritdoc/>
    public Task SaveBanAsync(Ban ban, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ban);
        ThrowIfNotInitialized();
        var values = new
        {
            kind = (int)ban.Subject.Kind,
            subject = ban.Subject.Text,
            subjectKey = ban.Subject.Key,
            reason = StorableText.From(ban.Reason),
            createdAt = new StoredTime(ban.CreatedAt),
            expiresAt = ban.ExpiresAt is { } end ? new StoredTime(end) : (StoredTime?)null,
        };
        return RunAsync(
            StoreOperation.WriteAccount, connection => connection.ExecuteAsync(_sql.SaveBan, values), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> RemoveBanAsync(BanSubject subject, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(subject);
        return UpdateAccountAsync(_sql.RemoveBan, new { kind = (int)subject.Kind, subjectKey = subject.Key }, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<Ban>> ListBansAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return RunAsync<IReadOnlyList<Ban>>(
            StoreOperation.ReadAccount,
            async connection =>
                (await connection.QueryAsync<BanRow>(_sql.ListBans).ConfigureAwait(false)).Select(static row => row.ToBan()).ToArray(),
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<int> RemoveExpiredBansAsync(DateTimeOffset now, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteAccount,
            connection => connection.ExecuteAsync(_sql.RemoveExpiredBans, new { now = new StoredTime(now) }),
            cancellationToken);
    }
}
