using System.Data.Common;
using System.Diagnostics;
using Dapper;

namespace PlayChat.Storage.Sql;

/// <summary>The base of all stores. A provider supplies the connections, the SQL dialect and the insertion of a batch.</summary>
public abstract partial class DatabaseStore : IChatStore
{
    private readonly StoreSql _sql;
    private volatile bool _initialized;

    private protected DatabaseStore(StoreSql sql)
    {
        _sql = sql;
        Fence = new OwnerFence(sql.LockOwnerId, OwnedBy);
        StoredTime.Register();
    }

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public abstract string Location { get; }

    /// <inheritdoc/>
    public StorageMetrics Metrics { get; } = new();

    /// <inheritdoc/>
    public async Task InitializeAsync(CancellationToken cancellationToken = default)
    {
        if (!AccountName.CanFold)
        {
            throw new StorageException(
                StorageErrorKind.InvalidOption,
                "This process runs without ICU (invariant globalization), so it cannot compare names: install ICU (libicu), and remove "
                    + "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT from its environment.");
        }

        Prepare();
        await RunAsync(
            StoreOperation.Migrate,
            async connection =>
            {
                await MigrateAsync(connection).ConfigureAwait(false);
                return true;
            },
            cancellationToken).ConfigureAwait(false);
        _initialized = true;
    }

    /// <inheritdoc/>
    public Task<Account?> FindAccountAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        ThrowIfNotInitialized();
        return AccountName.TryGetKey(name, out string? nameKey)
            ? RunAsync(StoreOperation.ReadAccount, connection => FindAccountAsync(connection, nameKey), cancellationToken)
            : Task.FromResult<Account?>(null);
    }

    /// <inheritdoc/>
    public Task<CreateAccountResult> CreateAccountAsync(
        string name, string? passwordHash, DateTimeOffset createdAt, CancellationToken cancellationToken = default)
    {
        string nameKey = AccountName.GetKey(name);
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteAccount,
            async connection =>
            {
                while (true)
                {
                    int created = await InsertAccountAsync(
                        connection, new { name, nameKey, passwordHash, createdAt = new StoredTime(createdAt) }).ConfigureAwait(false);
                    if (await FindAccountAsync(connection, nameKey).ConfigureAwait(false) is { } account)
                    {
                        return new CreateAccountResult(created == 1 ? CreateAccountStatus.Created : CreateAccountStatus.NameTaken, account);
                    }

                    // The account in the way was deleted between the two statements, so the name is free now.
                }
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> UpdateLastLoginAsync(long accountId, DateTimeOffset lastLoginAt, CancellationToken cancellationToken = default) =>
        UpdateAccountAsync(_sql.UpdateLastLogin, new { accountId, lastLoginAt = new StoredTime(lastLoginAt) }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> UpdatePasswordHashAsync(long accountId, string? passwordHash, CancellationToken cancellationToken = default) =>
        UpdateAndRevokeAsync(_sql.UpdatePasswordHash, new { accountId, passwordHash }, accountId, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> ReplacePasswordHashAsync(
        long accountId, string oldHash, string newHash, CancellationToken cancellationToken = default) =>
        UpdateAccountAsync(_sql.ReplacePasswordHash, new { accountId, oldHash, newHash }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> SetAccountDisabledAsync(long accountId, bool disabled, CancellationToken cancellationToken = default) =>
        disabled
            ? UpdateAndRevokeAsync(_sql.DisableAccount, new { accountId, disabled }, accountId, cancellationToken)
            : UpdateAccountAsync(_sql.EnableAccount, new { accountId, disabled }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> DeleteAccountAsync(long accountId, CancellationToken cancellationToken = default) =>
        UpdateAndRevokeAsync(_sql.DeleteAccount, new { accountId }, accountId, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<Account>> ListAccountsAsync(
        long afterId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        ListAsync<AccountRow, Account>(
            StoreOperation.ReadAccount, _sql.ListAccounts, limit, new { afterId, limit }, static row => row.ToAccount(), cancellationToken);

    /// <inheritdoc/>
    public Task SaveResumeTokensAsync(ResumeTokenHashes tokens, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tokens);
        ThrowIfNotInitialized();
        (long playerId, _, string newest, string? used, bool closeIsLeave, DateTimeOffset expiresAt, int tokenVersion) = tokens;
        var values = new { playerId, newest, used, closeIsLeave, expiresAt = new StoredTime(expiresAt), tokenVersion };
        return RunAsync(
            StoreOperation.WriteAccount, connection => connection.ExecuteAsync(_sql.SaveResumeTokens, values), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<ResumeTokenHashes?> FindResumeTokensAsync(string hash, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(hash);
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.ReadAccount,
            async connection =>
            {
                ResumeTokenRow? row = await connection.QuerySingleOrDefaultAsync<ResumeTokenRow>(_sql.FindResumeTokens, new { hash })
                    .ConfigureAwait(false);
                return row?.ToHashes();
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task RemoveResumeTokensAsync(string newest, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(newest);
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteAccount,
            connection => connection.ExecuteAsync(_sql.RemoveResumeTokens, new { newest }),
            cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<int> AppendChatAsync(IReadOnlyList<ChatRecord> records, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(records);
        ThrowIfNotInitialized();
        if (records.Count == 0)
        {
            return 0;
        }
        int stored = await RunAsync(StoreOperation.AppendChat, connection => AppendAsync(connection, records), cancellationToken)
            .ConfigureAwait(false);
        Metrics.RecordRows(stored);
        return stored;
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<ChatRecord>> ReadChatBeforeAsync(
        long roomId, long beforeSequence, int limit, CancellationToken cancellationToken = default)
    {
        IReadOnlyList<ChatRecord> newestFirst = await ReadChatAsync(_sql.ReadChatBefore, roomId, beforeSequence, limit, cancellationToken)
            .ConfigureAwait(false);
        return newestFirst.Reverse().ToArray();
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatRecord>> ReadChatAfterAsync(
        long roomId, long afterSequence, int limit, CancellationToken cancellationToken = default) =>
        ReadChatAsync(_sql.ReadChatAfter, roomId, afterSequence, limit, cancellationToken);

    /// <inheritdoc/>
    public Task<int> DeleteChatBeforeAsync(
        long roomId, DateTimeOffset before, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        ThrowIfNotInitialized();
        var values = new { roomId, before = new StoredTime(before), limit };
        return RunAsync(
            StoreOperation.DeleteChat, connection => WriteFencedAsync(connection, _sql.DeleteOldChat, values), cancellationToken);
    }

    /// <inheritdoc/>
    public Task SaveRoomAsync(
        long roomId,
        string roomName,
        DateTimeOffset createdAt,
        string? attributes = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(roomId, 1);
        ArgumentNullException.ThrowIfNull(roomName);
        ThrowIfNotInitialized();
        var room = new
        {
            roomId,
            roomName = StorableText.From(roomName),
            createdAt = new StoredTime(createdAt),
            attributes = attributes is null ? null : StorableText.From(attributes),
        };
        return RunAsync(StoreOperation.WriteRoom, connection => WriteFencedAsync(connection, _sql.SaveRoom, room), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> SetRoomStateAsync(long roomId, RoomState state, long lastSequence, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteRoom,
            async connection =>
                await WriteFencedAsync(connection, _sql.SetRoomState, new { roomId, state = (int)state, lastSequence })
                    .ConfigureAwait(false) == 1,
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<long> GetLastRoomIdAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return RunAsync(StoreOperation.ReadRoom, connection => connection.ExecuteScalarAsync<long>(_sql.LastRoomId), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<RoomPosition?> GetRoomPositionAsync(long roomId, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.ReadRoom,
            async connection =>
            {
                RoomRow? row = await connection.QuerySingleOrDefaultAsync<RoomRow>(_sql.RoomPosition, new { roomId }).ConfigureAwait(false);
                return row?.ToPosition();
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<RoomPosition>> FindRoomsAsync(
        IReadOnlyCollection<long> roomIds, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(roomIds);
        var values = new { roomIds = roomIds.ToArray() };
        return roomIds.Count == 0
            ? []
            : await ListAsync<RoomRow, RoomPosition>(
                StoreOperation.ReadRoom, _sql.Rooms, roomIds.Count, values, static row => row.ToPosition(), cancellationToken)
                .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomPosition>> GetRoomPositionsAsync(
        long afterRoomId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        ListAsync<RoomRow, RoomPosition>(
            StoreOperation.ReadRoom, _sql.RoomPositions, limit, new { afterRoomId, limit }, static row =>
                row.ToPosition(), cancellationToken);

    /// <summary>Waits for the calls that are under way, and closes every connection. Safe to call again.</summary>
    public async ValueTask DisposeAsync()
    {
        await ReleaseAsync().ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>Does what must be done before the first connection.</summary>
    private protected virtual void Prepare()
    {
    }

    /// <summary>Brings the schema up to date.</summary>
    private protected abstract Task MigrateAsync(DbConnection connection);

    /// <summary>Looks for damage that the database would otherwise show when the damaged part is used.</summary>
    /// <exception cref="StorageException">The database is damaged.</exception>
    private protected virtual Task CheckAsync(DbConnection connection) => Task.CompletedTask;

    /// <summary>Writes a batch, not empty, in one transaction.</summary>
    /// <returns>How many records were new.</returns>
    private protected abstract Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records);

    /// <summary>Gives the work a connection.</summary>
    /// <param name="work">Runs once, or again from its beginning where the provider tries again.</param>
    /// <param name="isWrite">Whether it changes anything.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="StorageException">Whatever the driver reports.</exception>
    private protected abstract Task<T> ConnectAsync<T>(Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken);

    /// <inheritdoc cref="DisposeAsync"/>
    private protected abstract ValueTask CloseAsync();

    /// <summary>Whether the error says that a row with this key is there already.</summary>
    private protected virtual bool IsDuplicate(DbException exception) => false;

    private async Task<int> InsertAccountAsync(DbConnection connection, object account)
    {
        try
        {
            return await connection.ExecuteAsync(_sql.InsertAccount, account).ConfigureAwait(false);
        }
        catch (DbException exception) when (IsDuplicate(exception))
        {
            return 0; // another caller inserted the same name first
        }
    }

    private async Task<Account?> FindAccountAsync(DbConnection connection, string nameKey)
    {
        AccountRow? row = await connection.QuerySingleOrDefaultAsync<AccountRow>(_sql.FindAccount, new { nameKey }).ConfigureAwait(false);
        return row?.ToAccount();
    }

    private Task<bool> UpdateAccountAsync(string sql, object values, CancellationToken cancellationToken)
    {
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteAccount,
            async connection => await connection.ExecuteAsync(sql, values).ConfigureAwait(false) == 1,
            cancellationToken);
    }

    /// <summary>Changes an account so that its tokens are void, or deletes it, and removes its tokens.</summary>
    /// <returns>Whether there is such an account.</returns>
    private Task<bool> UpdateAndRevokeAsync(string sql, object values, long accountId, CancellationToken cancellationToken)
    {
        ThrowIfNotInitialized();
        return RunAsync(
            StoreOperation.WriteAccount,
            connection => Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
            {
                // The tokens first: they refer to the account.
                await connection.ExecuteAsync(_sql.RemovePlayersTokens, new { accountId }, transaction).ConfigureAwait(false);
                return await connection.ExecuteAsync(sql, values, transaction).ConfigureAwait(false) == 1;
            }),
            cancellationToken);
    }

    private Task<IReadOnlyList<ChatRecord>> ReadChatAsync(
        string sql, long roomId, long bound, int limit, CancellationToken cancellationToken) =>
        ListAsync<ChatRow, ChatRecord>(StoreOperation.ReadChat, sql, limit, new { roomId, bound, limit }, static row =>
            row.ToRecord(), cancellationToken);

    private Task<IReadOnlyList<T>> ListAsync<TRow, T>(
        StoreOperation operation, string sql, int limit, object values, Func<TRow, T> read, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        ThrowIfNotInitialized();
        return RunAsync<IReadOnlyList<T>>(
            operation,
            async connection => (await connection.QueryAsync<TRow>(sql, values).ConfigureAwait(false)).Select(read).ToArray(),
            cancellationToken);
    }

    private async Task<T> RunAsync<T>(StoreOperation operation, Func<DbConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        long started = Stopwatch.GetTimestamp();
        bool isWrite = operation is StoreOperation.Migrate or StoreOperation.WriteAccount or StoreOperation.AppendChat
            or StoreOperation.WriteRoom or StoreOperation.DeleteChat;
        try
        {
            T result = await ConnectAsync(work, isWrite, cancellationToken).ConfigureAwait(false);
            Metrics.Of(operation).Record(Stopwatch.GetTimestamp() - started, failed: false);
            return result;
        }
        catch (StorageException)
        {
            Metrics.Of(operation).Record(Stopwatch.GetTimestamp() - started, failed: true);
            throw;
        }
    }

    private void ThrowIfNotInitialized()
    {
        if (!_initialized)
        {
            throw new InvalidOperationException($"Call {nameof(InitializeAsync)} before anything else.");
        }
    }
}
