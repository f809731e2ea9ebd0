using Dapper;
using Microsoft.Data.Sqlite;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Storage.Sqlite;

/// <summary>The embedded store: one SQLite file with a write-ahead log, one writer, several readers beside it.</summary>
/// <remarks>
/// A killed process loses nothing that was committed; a power cut may lose the last commits but never damages the file
/// (synchronous = NORMAL). Keep the file on a local disk: SQLite's locks do not work over a network.
/// </remarks>
public sealed class SqliteChatStore : IChatStore
{
    private readonly SqliteConnections _connections;
    private volatile bool _initialized;

    /// <summary>Makes the store; the file is touched first in <see cref="InitializeAsync"/>.</summary>
    /// <param name="options">Read once; later changes have no effect.</param>
    /// <exception cref="StorageException">An option is out of range.</exception>
    public SqliteChatStore(SqliteStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _connections = new SqliteConnections(options.Copy(), Metrics);
    }

    /// <inheritdoc/>
    string IChatLogSink.Name => "SQLite";

    /// <summary>The full path of the database file.</summary>
    public string Location => _connections.Path;

    /// <inheritdoc/>
    public StorageMetrics Metrics { get; } = new();

    /// <inheritdoc/>
    public async Task InitializeAsync(CancellationToken cancellationToken = default)
    {
        CreateFolder();
        await _connections.WriteAsync(
            connection =>
            {
                SqliteSchema.Migrate(connection, Location);
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
            ? _connections.ReadAsync(connection => FindAccount(connection, nameKey), cancellationToken)
            : Task.FromResult<Account?>(null);
    }

    /// <inheritdoc/>
    public Task<CreateAccountResult> CreateAccountAsync(string name, string? passwordHash, DateTimeOffset createdAt, CancellationToken cancellationToken = default)
    {
        string nameKey = AccountName.GetKey(name);
        ThrowIfNotInitialized();
        return _connections.WriteAsync(
            connection =>
            {
                int created = connection.Execute(SqliteSql.InsertAccount, new { name, nameKey, passwordHash, createdAt = SqliteTime.ToStored(createdAt) });
                // No account is ever deleted, so the one in the way is still there.
                Account account = FindAccount(connection, nameKey)!;
                return new CreateAccountResult(created == 1 ? CreateAccountStatus.Created : CreateAccountStatus.NameTaken, account);
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> UpdateLastLoginAsync(long accountId, DateTimeOffset lastLoginAt, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return _connections.WriteAsync(
            connection => connection.Execute(SqliteSql.UpdateLastLogin, new { accountId, lastLoginAt = SqliteTime.ToStored(lastLoginAt) }) == 1,
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> UpdatePasswordHashAsync(long accountId, string? passwordHash, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return _connections.WriteAsync(
            connection => connection.Execute(SqliteSql.UpdatePasswordHash, new { accountId, passwordHash }) == 1,
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> SetAccountDisabledAsync(long accountId, bool disabled, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return _connections.WriteAsync(
            connection => connection.Execute(SqliteSql.SetAccountDisabled, new { accountId, disabled }) == 1,
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<Account>> ListAccountsAsync(long afterId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default)
    {
        ThrowIfLimitOutOfRange(limit);
        ThrowIfNotInitialized();
        return _connections.ReadAsync<IReadOnlyList<Account>>(
            connection => connection.Query<AccountRow>(SqliteSql.ListAccounts, new { afterId, limit }).Select(static row => row.ToAccount()).ToArray(),
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
        int stored = await _connections.WriteAsync(connection => SqliteChatInsert.Run(connection, records), cancellationToken).ConfigureAwait(false);
        Metrics.RecordRows(stored);
        return stored;
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatRecord>> ReadChatBeforeAsync(long roomId, long beforeSequence, int limit, CancellationToken cancellationToken = default) =>
        ReadChatAsync(SqliteSql.ReadChatBefore, roomId, beforeSequence, limit, newestFirst: true, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatRecord>> ReadChatAfterAsync(long roomId, long afterSequence, int limit, CancellationToken cancellationToken = default) =>
        ReadChatAsync(SqliteSql.ReadChatAfter, roomId, afterSequence, limit, newestFirst: false, cancellationToken);

    /// <inheritdoc/>
    public Task SaveRoomAsync(long roomId, string roomName, DateTimeOffset createdAt, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(roomId, 1);
        ArgumentNullException.ThrowIfNull(roomName);
        ThrowIfNotInitialized();
        return _connections.WriteAsync(
            connection => connection.Execute(
                SqliteSql.SaveRoom, new { roomId, roomName = StorableText.From(roomName), createdAt = SqliteTime.ToStored(createdAt) }),
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<long> GetLastRoomIdAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return _connections.ReadAsync(connection => connection.ExecuteScalar<long>(SqliteSql.LastRoomId), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<RoomPosition?> GetRoomPositionAsync(long roomId, CancellationToken cancellationToken = default)
    {
        ThrowIfNotInitialized();
        return _connections.ReadAsync(connection => connection.QuerySingleOrDefault<RoomRow>(SqliteSql.RoomPosition, new { roomId })?.ToPosition(), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomPosition>> GetRoomPositionsAsync(long afterRoomId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default)
    {
        ThrowIfLimitOutOfRange(limit);
        ThrowIfNotInitialized();
        return _connections.ReadAsync<IReadOnlyList<RoomPosition>>(
            connection => connection.Query<RoomRow>(SqliteSql.RoomPositions, new { afterRoomId, limit }).Select(static row => row.ToPosition()).ToArray(),
            cancellationToken);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _connections.DisposeAsync();

    private static Account? FindAccount(SqliteConnection connection, string nameKey) =>
        connection.QuerySingleOrDefault<AccountRow>(SqliteSql.FindAccount, new { nameKey })?.ToAccount();

    private static void ThrowIfLimitOutOfRange(int limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
    }

    private Task<IReadOnlyList<ChatRecord>> ReadChatAsync(string sql, long roomId, long bound, int limit, bool newestFirst, CancellationToken cancellationToken)
    {
        ThrowIfLimitOutOfRange(limit);
        ThrowIfNotInitialized();
        return _connections.ReadAsync<IReadOnlyList<ChatRecord>>(
            connection =>
            {
                ChatRecord[] records = connection.Query<ChatRow>(sql, new { roomId, bound, limit }).Select(static row => row.ToRecord()).ToArray();
                if (newestFirst)
                {
                    Array.Reverse(records);
                }
                return records;
            },
            cancellationToken);
    }

    private void CreateFolder()
    {
        string? folder = Path.GetDirectoryName(Location);
        if (string.IsNullOrEmpty(folder) || Directory.Exists(folder))
        {
            return;
        }
        try
        {
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(folder);
            }
            else
            {
                // The file will hold password hashes and conversations: for this account alone unless someone opens it.
                Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw SqliteErrors.NotWritable(Location, exception);
        }
    }

    private void ThrowIfNotInitialized()
    {
        if (!_initialized)
        {
            throw new InvalidOperationException($"Call {nameof(InitializeAsync)} before anything else.");
        }
    }

    private sealed class AccountRow
    {
        public long Id { get; set; }

        public string Name { get; set; } = "";

        public string? PasswordHash { get; set; }

        public long CreatedAt { get; set; }

        public long? LastLoginAt { get; set; }

        public bool Disabled { get; set; }

        public Account ToAccount() =>
            new(Id, Name, PasswordHash, SqliteTime.FromStored(CreatedAt), LastLoginAt is { } at ? SqliteTime.FromStored(at) : null, Disabled);
    }

    private sealed class RoomRow
    {
        public long RoomId { get; set; }

        public string? RoomName { get; set; }

        public long LastSequence { get; set; }

        public long? CreatedAt { get; set; }

        public RoomPosition ToPosition() => new(RoomId, RoomName, LastSequence, CreatedAt is { } at ? SqliteTime.FromStored(at) : null);
    }

    private sealed class ChatRow
    {
        public long RoomId { get; set; }

        public long Sequence { get; set; }

        public long PlayerId { get; set; }

        public string PlayerName { get; set; } = "";

        public string Text { get; set; } = "";

        public long SentAt { get; set; }

        public string? RoomName { get; set; }

        public ChatRecord ToRecord() => new(RoomId, Sequence, PlayerId, PlayerName, Text, SqliteTime.FromStored(SentAt), RoomName);
    }
}
