using Dapper;
using Microsoft.Data.Sqlite;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;
using SQLitePCL;

namespace PlayChat.Storage.Tests.Sqlite;

public sealed class SqliteStoreTests : StoreContractTests
{
    private readonly TemporaryDirectory _folder = new();
    private readonly string _path;

    public SqliteStoreTests() => _path = _folder.Combine("sub", "folder", "chat.db");

    [Fact]
    public async Task The_missing_folder_is_created_and_the_write_ahead_log_used()
    {
        Assert.True(File.Exists(_path));
        Assert.Equal(_path, Store.Location);
        Assert.Equal("wal", await QueryAsync("PRAGMA journal_mode"));
    }

    [Fact]
    public async Task Disposing_leaves_one_file_that_holds_everything()
    {
        await Store.AppendChatAsync([Record(1, 1)]);

        await Store.DisposeAsync();

        Assert.Equal([_path], Directory.GetFiles(Path.GetDirectoryName(_path)!));
    }

    [Fact]
    public async Task A_store_closes_its_own_connections_and_none_of_another_store_of_the_file()
    {
        await Store.AppendChatAsync([Record(1, 1)]);
        IChatStore other = Open();
        await other.InitializeAsync();

        await other.DisposeAsync();

        Assert.True(File.Exists($"{_path}-wal")); // the last connection would have removed it
    }

    [Fact]
    public async Task A_newer_schema_is_refused_and_left_alone()
    {
        await QueryAsync("PRAGMA user_version = 99");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NewerSchema, error.Kind);
        Assert.Contains("99", error.Message, StringComparison.Ordinal);
        Assert.Contains(_path, error.Message, StringComparison.Ordinal);
        Assert.Equal("99", await QueryAsync("PRAGMA user_version"));
    }

    [Fact]
    public async Task A_database_of_the_first_version_is_brought_up_to_date_with_all_it_holds()
    {
        await RemoveDatabaseAsync();
        await QueryAsync(
            $"""
            {SqliteSql.Migrations[0]} {SqliteSql.MarkSchema(1)};
            INSERT INTO account (name, name_key, password_hash, created_at) VALUES ('Mina', 'mina', 'hash', 1);
            INSERT INTO room (room_id, room_name, last_sequence) VALUES (4, 'lobby', 9);
            """);

        IChatStore store = Open();
        await store.InitializeAsync();

        Assert.Equal(
            new Account(1, "Mina", "hash", DateTimeOffset.UnixEpoch.AddMicroseconds(1), null), await store.FindAccountAsync("mina"));
        Assert.Equal(new RoomPosition(4, "lobby", 9, State: RoomState.Removed), await store.GetRoomPositionAsync(4));
        Assert.True(await store.SetAccountDisabledAsync(1, true));
        Assert.Equal("15", await QueryAsync("PRAGMA user_version"));
    }

    [Fact]
    public async Task An_index_is_made_of_what_is_stored_already_and_is_removed_when_it_is_not_wanted()
    {
        await Store.DisposeAsync();
        await using (var without = new SqliteChatStore(new SqliteStoreOptions { Path = _path, Search = false }))
        {
            await without.InitializeAsync();
            await without.AppendChatAsync([Record(1, 1, "hello"), Record(1, 2, "hello") with { PlayerId = 0 }, Record(1, 3, "")]);
        }

        Assert.Equal("0", await QueryAsync("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'chat_search%'"));
        IChatStore store = Open();
        await store.InitializeAsync();

        Assert.Equal(1, Assert.Single(await store.SearchChatAsync([1], "hello", before: null, limit: 10)).Sequence);
        await QueryAsync("INSERT INTO chat_search (chat_search) VALUES ('integrity-check')");
    }

    [Fact]
    public async Task A_statement_ends_when_its_time_is_over_and_the_connection_stays()
    {
        await using var connection = new SqliteConnection("Data Source=:memory:");
        await connection.OpenAsync();

        SqliteException error;
        using (new SqliteTimeLimit(connection, TimeSpan.Zero))
        {
            error = Assert.Throws<SqliteException>(() => Count(1_000_000));
        }

        Assert.Equal(StorageErrorKind.Busy, SqliteErrors.Translate(error, _path).Kind);
        Assert.True(SqliteErrors.KeepsConnection(error));
        Assert.Equal(1000L, Count(1000));

        object? Count(int rows)
        {
            using SqliteCommand count = connection.CreateCommand();
            count.CommandText = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                + $"{rows}) SELECT COUNT(*) FROM n";
            return count.ExecuteScalar();
        }
    }

    [Fact]
    public async Task Another_programs_database_is_refused_and_left_alone()
    {
        await RemoveDatabaseAsync();
        await QueryAsync("CREATE TABLE theirs (id INTEGER)");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
        Assert.Equal("delete", await QueryAsync("PRAGMA journal_mode"));
    }

    [Fact]
    public async Task A_file_that_is_no_database_is_refused()
    {
        await RemoveDatabaseAsync();
        string text = string.Concat(Enumerable.Repeat("not a database. ", 1000));
        await File.WriteAllTextAsync(_path, text);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
        Assert.Equal(text, await File.ReadAllTextAsync(_path));
    }

    [Theory]
    [InlineData("chat.db/below/a/file.db")]
    [InlineData(".")]
    public async Task A_path_that_cannot_be_written_is_refused_with_what_to_do(string relative)
    {
        string path = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(_path)!, relative));
        await using var store = new SqliteChatStore(new SqliteStoreOptions { Path = path });

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

        Assert.Equal(StorageErrorKind.NotWritable, error.Kind);
        Assert.Contains("write access", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public async Task The_error_of_a_commit_that_SQLite_has_rolled_back_by_itself_is_the_one_that_counts()
    {
        await using SqliteConnection connection = Connect();
        raw.sqlite3_commit_hook(connection.Handle, static _ => 1, null); // as a full disk does, it makes a commit a rollback

        SqliteException ofWork = await Assert.ThrowsAsync<SqliteException>(() => Transactions.RunAsync(
            connection.BeginTransactionAsync(),
            transaction => connection.ExecuteAsync(
                "INSERT INTO room (room_id, room_name, last_sequence) VALUES (9, 'lobby', 0)", transaction: transaction)));
        SqliteException ofBatch = await Assert.ThrowsAsync<SqliteException>(() => SqliteChatInsert.RunAsync(
            connection, [Record(1, 1)], new OwnerFence("", static _ => throw new NotSupportedException())));

        Assert.Equal((raw.SQLITE_CONSTRAINT_COMMITHOOK, raw.SQLITE_CONSTRAINT_COMMITHOOK),
            (ofWork.SqliteExtendedErrorCode, ofBatch.SqliteExtendedErrorCode));
        raw.sqlite3_commit_hook(connection.Handle, null, null);
        Assert.Equal(1, await SqliteChatInsert.RunAsync(
            connection, [Record(1, 1)], new OwnerFence("", static _ => throw new NotSupportedException())));
    }

    [Fact]
    public async Task What_is_written_after_SQLite_has_rolled_back_in_a_statement_is_committed()
    {
        await using SqliteConnection connection = Connect();
        await connection.ExecuteAsync("CREATE TABLE note (text TEXT); PRAGMA max_page_count = 1"); // no page more than there are now

        SqliteException full = await Assert.ThrowsAsync<SqliteException>(() => Transactions.RunAsync(
            connection.BeginTransactionAsync(),
            transaction => connection.ExecuteAsync("INSERT INTO note VALUES (zeroblob(1000000))", transaction: transaction)));
        await connection.ExecuteAsync("PRAGMA max_page_count = 100000; INSERT INTO note VALUES ('after it')");

        Assert.Equal(raw.SQLITE_FULL, full.SqliteErrorCode);
        Assert.Equal("after it", await QueryAsync("SELECT text FROM note"));
    }

    [Fact]
    public void An_error_with_a_kind_is_one_line_and_another_one_has_its_stack_trace()
    {
        var full = SqliteErrors.Translate(new SqliteException("full", raw.SQLITE_FULL), "chat.db");
        var failed = SqliteErrors.Translate(new SqliteException("failed", raw.SQLITE_IOERR), "chat.db");

        Assert.Equal(
            "StorageException (DiskFull): There is no space left for the database 'chat.db': free some on its disk.", full.ToString());
        Assert.Contains(nameof(SqliteException), failed.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_database_that_another_program_holds_fails_as_busy_and_works_again_when_it_is_free()
    {
        await using var impatient = new SqliteChatStore(new SqliteStoreOptions { Path = _path, BusyTimeout = TimeSpan.Zero });
        await impatient.InitializeAsync();
        await using (SqliteConnection other = Connect())
        {
            await using SqliteTransaction theirs = other.BeginTransaction(deferred: false);

            StorageException error = await Assert.ThrowsAsync<StorageException>(() => impatient.AppendChatAsync([Record(1, 1)]))
                .WaitAsync(TestTimeouts.Hang);

            Assert.Equal(StorageErrorKind.Busy, error.Kind);
            Assert.Equal(1, impatient.Metrics.Failures);
            Assert.Equal(0, impatient.Metrics.InUse);
        }
        Assert.Equal(1, await impatient.AppendChatAsync([Record(1, 1)]));
    }

    [Fact]
    public async Task A_batch_that_fails_midway_leaves_nothing()
    {
        await QueryAsync("CREATE TRIGGER broken BEFORE INSERT ON chat_log WHEN NEW.sequence = 2 BEGIN SELECT RAISE(ABORT, 'broken'); END");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Store.AppendChatAsync([Record(1, 1), Record(1, 2)]));

        Assert.Equal(StorageErrorKind.Failed, error.Kind); // a trigger can be mended
        Assert.Empty(await Store.ReadChatAfterAsync(1, 0, 10));
        Assert.Equal(0, Store.Metrics.RowsWritten);
    }

    [Fact]
    public async Task A_writer_that_gets_no_connection_in_time_fails_as_busy()
    {
        var options = new SqliteStoreOptions { Path = _path, AcquireTimeout = TimeSpan.FromMilliseconds(1) };
        var metrics = new StorageMetrics();
        await using var connections = new SqliteConnections(options, metrics);
        using var entered = new SemaphoreSlim(0);
        using var leave = new ManualResetEventSlim();
        Task<bool> holder = connections.WriteAsync(
            _ =>
            {
                entered.Release();
                return Task.FromResult(leave.Wait(TestTimeouts.Hang));
            },
            CancellationToken.None);
        Assert.True(await entered.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, metrics.InUse);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() =>
            connections.WriteAsync(_ => Task.FromResult(true), CancellationToken.None));

        leave.Set();
        Assert.True(await holder.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.Equal(1, metrics.AcquireTimeouts);
    }

    [Fact]
    public async Task A_cancelled_call_that_waits_for_a_connection_does_nothing()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Store.AppendChatAsync([Record(1, 1)], cancelled.Token));

        Assert.Empty(await Store.ReadChatAfterAsync(1, 0, 10));
    }

    [Fact]
    public async Task A_server_does_not_take_a_database_that_is_damaged_halfway()
    {
        await DamageAsync();
        IChatStore store = Open();
        await store.InitializeAsync(); // reads none of the damaged pages

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.ClaimAsync(DatabaseOwner.OfThisProcess()));

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
        Assert.StartsWith($"The database '{_path}' is damaged: restore it from a backup", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
        await Assert.ThrowsAsync<StorageException>(() => store.ClaimAsync(DatabaseOwner.OfThisProcess())); // and keeps no lock
    }

    [Fact]
    public async Task The_look_for_damage_ends_when_its_time_is_over()
    {
        await DamageAsync();
        await using SqliteConnection connection = Connect();

        SqliteDamageCheck.Run(connection, _path, TimeSpan.Zero);

        Assert.Throws<StorageException>(() => SqliteDamageCheck.Run(connection, _path, TestTimeouts.Hang));
    }

    [Fact]
    public void Options_out_of_range_are_named()
    {
        StorageException error = Assert.Throws<StorageException>(() => new SqliteChatStore(new SqliteStoreOptions { MaxReaders = 0 }));

        Assert.Equal(StorageErrorKind.InvalidOption, error.Kind);
        Assert.Equal("MaxReaders is 0; allowed is 1 to 64.", error.Message);
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _folder.Dispose();
    }

    protected override IChatStore OpenStore() => new SqliteChatStore(new SqliteStoreOptions { Path = _path });

    protected override async Task RemoveDatabaseAsync()
    {
        await Store.DisposeAsync();
        string folder = Path.GetDirectoryName(_path)!;
        Directory.Delete(folder, recursive: true);
        Directory.CreateDirectory(folder);
    }

    protected override Task SetSchemaVersionAsync(int version) => QueryAsync($"PRAGMA user_version = {version}");

    protected override Task ExecuteAsync(string sql) => QueryAsync(sql);

    /// <summary>Overwrites pages in the middle of a file of some thousand.</summary>
    private async Task DamageAsync()
    {
        await Store.AppendChatAsync(Enumerable.Range(1, 5000).Select(static i => Record(1, i, new string('a', 1000))).ToArray());
        await Store.DisposeAsync();
        await using FileStream file = File.OpenWrite(_path);
        file.Seek(file.Length / 2, SeekOrigin.Begin);
        await file.WriteAsync(Enumerable.Repeat((byte)0xA5, 8192).ToArray());
    }

    private SqliteConnection Connect()
    {
        var connection = new SqliteConnection($"Data Source={_path};Pooling=False");
        connection.Open();
        return connection;
    }

    private async Task<string?> QueryAsync(string sql)
    {
        await using SqliteConnection connection = Connect();
        await using SqliteCommand command = connection.CreateCommand();
        command.CommandText = sql;
        return (await command.ExecuteScalarAsync())?.ToString();
    }
}
