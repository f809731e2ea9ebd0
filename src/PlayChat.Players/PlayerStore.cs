using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Dapper;
using PlayChat.Storage.Postgres;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;
using PlayChat.Storage.SqlServer;
using DocumentRow = (string Player, string Collection, string Key, byte[] Value, long Version, int Access, long UpdatedAt);
using KeyRow = (long Attempt, string Versions);
using ScoreRow = (long Rank, string Board, string Player, string Run, long Score, long ScoredAt);

namespace PlayChat.Players;

/// <summary>An <see cref="IPlayerStore"/> on SQLite, PostgreSQL or SQL Server. The database may be the chat server's or one of its
/// own.</summary>
public sealed class PlayerStore : IPlayerStore
{
    private const long MaxVersion = 1L << 53; // JavaScript holds no greater integer exactly

    private readonly PlayerDatabase _database;
    private readonly TimeSpan _keyLifetime;
    private readonly TimeProvider _time;
    private volatile bool _isInitialized;

    private PlayerStore(PlayerDatabase database, PlayerStoreOptions? options)
    {
        options ??= new PlayerStoreOptions();
        options.Validate();
        _database = database;
        _keyLifetime = options.TransactionKeyLifetime;
        _time = options.Time;
        MaxValueBytes = options.MaxValueBytes;
    }

    /// <inheritdoc/>
    public int MaxValueBytes { get; }

    /// <summary>Where the data is, for the line a program prints at its start. Holds no credentials.</summary>
    public string Location => _database.Location;

    private PlayerSql Sql => _database.Sql;

    private long Now => new StoredTime(_time.GetUtcNow()).Microseconds;

    /// <summary>Creates a store in a SQLite file on a local disk, and the file's folder. A killed process loses nothing that was committed;
    /// a power cut may undo the last commits, unless <see cref="SqliteStoreOptions.FlushesCommits"/> is set.</summary>
    /// <param name="database">The file. Read once.</param>
    /// <param name="options">Read once. Default: all defaults.</param>
    /// <exception cref="StorageException">An option is out of range, or creating the folder failed.</exception>
    public static PlayerStore OnSqlite(SqliteStoreOptions database, PlayerStoreOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(database);
        database.Validate();
        var connections = new SqliteConnections(database.Copy(), new StorageMetrics());
        connections.CreateFolder();
        return new(new PlayerDatabase.Sqlite(connections), options);
    }

    /// <summary>Creates a store on PostgreSQL 12 or later; the tables are in the first schema of the connection's search path.</summary>
    /// <param name="connectionString">Npgsql's; it sizes the pool (<c>Maximum Pool Size</c>, by default 12). Never logged.</param>
    /// <param name="options">Read once. Default: all defaults.</param>
    /// <exception cref="StorageException">The connection string is invalid, or an option is out of range.</exception>
    public static PlayerStore OnPostgres(string connectionString, PlayerStoreOptions? options = null)
    {
        var driver = new PostgresDriver(connectionString);
        return new(new PlayerDatabase.Server(driver, new PostgresSchema(driver.Location), PlayerSql.Postgres), options);
    }

    /// <summary>Creates a store on SQL Server 2017 or later; the tables are in the user's default schema.</summary>
    /// <param name="connectionString">That of Microsoft.Data.SqlClient. Never logged.</param>
    /// <param name="options">Read once. Default: all defaults.</param>
    /// <exception cref="StorageException">The connection string is invalid, or an option is out of range.</exception>
    public static PlayerStore OnSqlServer(string connectionString, PlayerStoreOptions? options = null)
    {
        var driver = new SqlServerDriver(connectionString);
        return new(new PlayerDatabase.Server(driver, new SqlServerSchema(driver.Location), PlayerSql.SqlServer), options);
    }

    /// <inheritdoc/>
    public async Task InitializeAsync(CancellationToken cancellationToken = default)
    {
        await _database.MigrateAsync(cancellationToken).ConfigureAwait(false);
        _isInitialized = true;
    }

    /// <inheritdoc/>
    public async Task<PlayerDocument?> ReadAsync(DocumentKey key, bool asOwner = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(key.Player, nameof(key)); // of a default key
        var values = new { player = key.Player, collection = key.Collection, documentKey = key.Key, access = asOwner ? 1 : 0 };
        return (await QueryAsync<DocumentRow, PlayerDocument>(Sql.Read, values, ToDocument, cancellationToken).ConfigureAwait(false))
            .SingleOrDefault();
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<PlayerDocument>> ListAsync(
        string player,
        string collection,
        string prefix = "",
        string after = "",
        int limit = 100,
        bool asOwner = false,
        CancellationToken cancellationToken = default)
    {
        var values = new
        {
            player = Names.CheckPlayer(player),
            collection = Names.Check(collection, Names.MaxCollectionLength),
            prefix = Names.Check(prefix, Names.MaxKeyLength, minLength: 0),
            end = prefix + Names.AfterAll,
            after = Names.Check(after, Names.MaxKeyLength, minLength: 0),
            access = asOwner ? 1 : 0,
            limit = CheckLimit(limit),
            skip = 0,
        };
        return QueryAsync<DocumentRow, PlayerDocument>(Sql.List, values, ToDocument, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<TransactionResult> ExecuteAsync(
        IReadOnlyList<PlayerWrite> writes, TransactionKey? key = null, CancellationToken cancellationToken = default)
    {
        RequireWrites(writes);
        ArgumentException.ThrowIfNullOrEmpty(key is null ? "none" : key.Value.Player, nameof(key));

        // Drawn once, so that all tries write the same. At random, because a document that is deleted and created again must not get a
        // version that it had before: a transaction that read the old one would take the new one for it.
        long[] versions = [.. writes.Select(static write => write.IsDelete ? 0 : Random.Shared.NextInt64(1, MaxVersion))];
        var work = new Work([.. writes], versions, key, Attempt: Random.Shared.NextInt64());
        long started = Stopwatch.GetTimestamp();
        string outcome = "failed";
        try
        {
            TransactionResult result = await RunAsync(isWrite: true, connection => TransactAsync(connection, work), cancellationToken)
                .ConfigureAwait(false);
            outcome = !result.HasHappened ? "conflict" : result.IsRepeat ? "repeated" : "done";
            return result;
        }
        finally
        {
            PlayerMeter.RecordTransaction(outcome, Stopwatch.GetElapsedTime(started));
        }
    }

    /// <inheritdoc/>
    public async Task<TransactionResult?> FindResultAsync(TransactionKey key, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(key.Player, nameof(key)); // of a default key
        var values = new { player = key.Player, key = key.Key };
        return (await QueryAsync<KeyRow, TransactionResult>(Sql.FindKey, values, static row => ToResult(row, null), cancellationToken)
            .ConfigureAwait(false)).SingleOrDefault();
    }

    /// <inheritdoc/>
    public Task AppendScoreAsync(PlayerScore score, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(score);
        var values = new
        {
            board = Names.Check(score.Board, Names.MaxCollectionLength),
            player = Names.CheckPlayer(score.Player),
            run = Names.Check(score.Run, Names.MaxKeyLength),
            score = score.Score,
            now = Now,
            limit = int.MaxValue, // of those behind the best, all
            skip = IPlayerStore.MaxScoresPerPlayer,
        };
        return ChangeAsync([Sql.AppendScore, Sql.TrimScores], values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<RankedScore>> ListTopAsync(
        string board, int limit = 100, int skip = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(skip);
        var values = new { board = Names.Check(board, Names.MaxCollectionLength), limit = CheckLimit(limit), skip };
        return QueryAsync<ScoreRow, RankedScore>(
            Sql.ListTop,
            values,
            static row => new(row.Rank, new(row.Board, row.Player, row.Run, row.Score), StoredTime.FromMicroseconds(row.ScoredAt).Value),
            cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<PlayerExport> ExportAsync(string player, CancellationToken cancellationToken = default)
    {
        var values = new { player = Names.CheckPlayer(player) };
        return new(
            player,
            await QueryAsync<DocumentRow, PlayerDocument>(Sql.ExportDocuments, values, ToDocument, cancellationToken).ConfigureAwait(false),
            await QueryAsync<(string Board, string Player, string Run, long Score), PlayerScore>(
                Sql.ExportScores, values, static row => new(row.Board, row.Player, row.Run, row.Score), cancellationToken)
                .ConfigureAwait(false),
            await QueryAsync<string, string>(Sql.ExportKeys, values, static key => key, cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public Task<int> EraseAsync(string player, CancellationToken cancellationToken = default) =>
        ChangeAsync(Sql.Erase, new { player = Names.CheckPlayer(player) }, cancellationToken);

    /// <summary>Waits for the calls under way, and closes every connection. Safe to call again.</summary>
    public ValueTask DisposeAsync() => _database.DisposeAsync();

    private async Task<TransactionResult> TransactAsync(DbConnection connection, Work work)
    {
        bool isComplete = false;
        try
        {
            return await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
            {
                if (work.Key is { } key && await FindFirstAsync(transaction, work, key).ConfigureAwait(false) is { } first)
                {
                    return first;
                }

                foreach (int index in work.Order)
                {
                    await ApplyAsync(transaction, work, index).ConfigureAwait(false);
                }

                isComplete = true;
                return new TransactionResult(Conflict: null, work.Versions);
            }).ConfigureAwait(false);
        }
        catch (ConflictException exception)
        {
            return new TransactionResult(exception.Conflict, []); // it was rolled back
        }
        catch (Exception exception) when (isComplete && work.Key is null && _database is PlayerDatabase.Server)
        {
            // The commit may have arrived. A second try would find its own versions and report a conflict, so it is the caller's.
            throw new StorageException(
                StorageErrorKind.Unavailable,
                $"The {Location} did not answer whether a transaction has happened: read the documents again, or give it a key.",
                exception);
        }
    }

    /// <summary>Takes the key of the transaction, or finds the result of the one that had it first.</summary>
    private async Task<TransactionResult?> FindFirstAsync(DbTransaction transaction, Work work, TransactionKey transactionKey)
    {
        var values = new
        {
            player = transactionKey.Player,
            key = transactionKey.Key,
            attempt = work.Attempt,
            versions = string.Join(' ', work.Versions.Select(static version => version.ToString(CultureInfo.InvariantCulture))),
            now = Now,
            oldest = new StoredTime(_time.GetUtcNow() - _keyLifetime).Microseconds,
        };
        DbConnection connection = transaction.Connection!;
        if (await connection.ExecuteAsync(Sql.InsertKey, values, transaction).ConfigureAwait(false) == 1)
        {
            await connection.ExecuteAsync(Sql.DeleteOldKeys, values, transaction).ConfigureAwait(false);
            return null;
        }

        return ToResult(await connection.QuerySingleAsync<KeyRow>(Sql.FindKey, values, transaction).ConfigureAwait(false), work.Attempt);
    }

    private async Task ApplyAsync(DbTransaction transaction, Work work, int index)
    {
        PlayerWrite write = work.Writes[index];
        var values = new
        {
            player = write.Key.Player,
            collection = write.Key.Collection,
            documentKey = write.Key.Key,
            value = write.Stored,
            version = work.Versions[index],
            access = write.IsOwnerReadable ? 1 : 0,
            updatedAt = Now,
            ifVersion = write.IfVersion,
        };
        string statement = (write.IsDelete, write.IfVersion) switch
        {
            (true, null) => Sql.Delete,
            (true, _) => Sql.DeleteVersion,
            (false, null) => Sql.Upsert,
            (false, PlayerWrite.Absent) => Sql.Insert,
            _ => Sql.Update,
        };
        DbConnection connection = transaction.Connection!;
        int changed = await connection.ExecuteAsync(statement, values, transaction).ConfigureAwait(false);
        if (changed == 0 && write.IfVersion is not null)
        {
            long? found = await connection.ExecuteScalarAsync<long?>(Sql.FindVersion, values, transaction).ConfigureAwait(false);
            throw new ConflictException(new TransactionConflict(index, write.Key, found ?? PlayerWrite.Absent));
        }
    }

    private Task<int> ChangeAsync(string[] statements, object values, CancellationToken cancellationToken) => RunAsync(
        isWrite: true,
        connection => Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            int changed = 0;
            foreach (string statement in statements)
            {
                changed += await connection.ExecuteAsync(statement, values, transaction).ConfigureAwait(false);
            }

            return changed;
        }),
        cancellationToken);

    private Task<IReadOnlyList<T>> QueryAsync<TRow, T>(
        string sql, object values, Func<TRow, T> read, CancellationToken cancellationToken) => RunAsync<IReadOnlyList<T>>(
            isWrite: false,
            async connection => [.. (await connection.QueryAsync<TRow>(sql, values).ConfigureAwait(false)).Select(read)],
            cancellationToken);

    private Task<T> RunAsync<T>(bool isWrite, Func<DbConnection, Task<T>> work, CancellationToken cancellationToken) => _isInitialized
        ? _database.RunAsync(work, isWrite, cancellationToken)
        : throw new InvalidOperationException($"Call {nameof(InitializeAsync)} before anything else.");

    private void RequireWrites(IReadOnlyList<PlayerWrite> writes)
    {
        ArgumentNullException.ThrowIfNull(writes);
        if (writes.Count is 0 or > IPlayerStore.MaxWrites || writes.DistinctBy(static write => write.Key).Count() != writes.Count
            || writes.Any(write => write.Value.Length > MaxValueBytes))
        {
            throw new ArgumentException(
                $"A transaction has 1 to {IPlayerStore.MaxWrites} writes, each of another document and of at most {MaxValueBytes} bytes.",
                nameof(writes));
        }
    }

    private static int CheckLimit(int limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IPlayerStore.MaxReadLimit);
        return limit;
    }

    private static PlayerDocument ToDocument(DocumentRow row) => new(
        new(row.Player, row.Collection, row.Key),
        row.Value,
        row.Version,
        row.Access == 1,
        StoredTime.FromMicroseconds(row.UpdatedAt).Value);

    // A call may find its own earlier try, to which the answer was lost.
    private static TransactionResult ToResult(KeyRow row, long? ownAttempt) => new(
        Conflict: null,
        [.. row.Versions.Split(' ').Select(static text => long.Parse(text, CultureInfo.InvariantCulture))],
        IsRepeat: row.Attempt != ownAttempt);

    /// <summary>A transaction with all that its tries have in common.</summary>
    private sealed record Work(PlayerWrite[] Writes, long[] Versions, TransactionKey? Key, long Attempt)
    {
        /// <summary>One order in all transactions, so that two of them never wait for each other's documents.</summary>
        public IEnumerable<int> Order { get; } =
            [.. Enumerable.Range(0, Writes.Length).OrderBy(index => Writes[index].Key.ToString(), StringComparer.Ordinal)];
    }

    private sealed class ConflictException(TransactionConflict conflict) : Exception
    {
        public TransactionConflict Conflict => conflict;
    }
}
