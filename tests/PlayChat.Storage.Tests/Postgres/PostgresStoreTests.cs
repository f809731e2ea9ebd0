using Npgsql;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.Postgres;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, each test in a schema of its own.</summary>
public sealed class PostgresStoreTests : StoreContractTests
{
    private PostgresSpace? _space;

    private PostgresSpace Space => _space ?? throw new InvalidOperationException("There is no database yet.");

    public override async ValueTask InitializeAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        _space = await PostgresSpace.CreateAsync();
        await base.InitializeAsync();
    }

    [Fact]
    public void The_location_names_server_and_database_and_no_credentials()
    {
        var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString);

        Assert.Equal($"PostgreSQL database '{settings.Database}' on {settings.Host}:{settings.Port}", Store.Location);
        Assert.DoesNotContain(settings.Password!, Store.Location, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tables_of_another_program_are_left_alone()
    {
        await RemoveDatabaseAsync();
        await Space.ExecuteAsync("CREATE TABLE room (theirs integer)");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
        Assert.Equal(1L, await Space.ExecuteAsync("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema()"));
    }

    [Fact]
    public async Task A_pool_without_a_free_connection_fails_as_busy_in_time()
    {
        var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString) { MaxPoolSize = 1, Timeout = 3 }; // also to connect
        await using var store = new PostgresChatStore(settings.ConnectionString);
        await store.InitializeAsync();
        await using NpgsqlConnection holder = new(Space.ConnectionString);
        await holder.OpenAsync();
        await using NpgsqlTransaction held = await holder.BeginTransactionAsync();
        await using (NpgsqlCommand theirs = new("LOCK TABLE chat_log", holder))
        {
            await theirs.ExecuteNonQueryAsync();
        }
        Task<int> waiting = store.AppendChatAsync([Record(1, 1)]);
        await Eventually.GetAsync(
            () => Space.ExecuteAsync("SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'chat_log'::regclass"),
            static waiting => waiting is 1L);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.FindAccountAsync("mina"))
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.Equal((1, 1), (store.Metrics.AcquireTimeouts, store.Metrics.Of(StoreOperation.ReadAccount).Failures));
        await held.RollbackAsync();
        Assert.Equal(1, await waiting.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("Encoding=iso-8859-1")]
    [InlineData("Client Encoding=LATIN1")]
    public async Task Text_is_stored_as_it_is_whatever_encoding_the_connection_string_names(string encoding)
    {
        await using var store = new PostgresChatStore($"{Space.ConnectionString};{encoding}");
        await store.InitializeAsync();

        Assert.Equal(1, await store.AppendChatAsync([Record(1, 1) with { Text = "안녕 👋" }]));

        Assert.Equal("안녕 👋", await Space.ExecuteAsync("SELECT text FROM chat_log"));
    }

    [Fact]
    public async Task Connections_that_the_server_has_cut_are_replaced_without_an_error()
    {
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Store.FindAccountAsync("mina")));
        await Space.ExecuteAsync(
            $"SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '{Space.Name}' AND pid <> "
                + $"pg_backend_pid()");

        Assert.Equal(1, await Store.AppendChatAsync([Record(1, 1)]));

        Assert.True(Store.Metrics.Retries >= 1);
        Assert.Equal(0, Store.Metrics.Failures);
    }

    [Fact]
    public async Task Connections_that_the_server_has_ended_because_they_were_idle_are_replaced_without_an_error()
    {
        string name = $"idle_{Guid.NewGuid():N}";
        var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString)
        {
            ApplicationName = name,
            MinPoolSize = 8, // more than the work is tried again
            Options = "-c idle_session_timeout=500",
        };
        await using var store = new PostgresChatStore(settings.ConnectionString);
        await store.InitializeAsync();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => store.FindAccountAsync("mina")));
        await Eventually.GetAsync(
            () => Space.ExecuteAsync($"SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = '{name}'"),
            static open => open is 0L);

        Assert.Null(await store.FindAccountAsync("mina"));

        Assert.True(store.Metrics.Retries >= 1);
        Assert.Equal(0, store.Metrics.Failures);
    }

    [Fact]
    public async Task An_owner_whose_connection_was_cut_takes_the_lock_again()
    {
        const string Locks = "SELECT MAX(l.pid) FROM pg_locks AS l INNER JOIN pg_stat_activity AS a ON a.pid = l.pid "
            + "WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = '";
        await Store.ClaimAsync(DatabaseOwner.OfThisProcess());
        int before = (int)(await Space.ExecuteAsync($"{Locks}{Space.Name}'"))!;

        await Space.ExecuteAsync($"SELECT pg_terminate_backend({before})");
        await Eventually.GetAsync(() => Space.ExecuteAsync($"{Locks}{Space.Name}'"), holder => holder is int now && now != before);

        IChatStore second = Open();
        await second.InitializeAsync();
        StorageException error = await Assert.ThrowsAsync<StorageException>(() => second.ClaimAsync(DatabaseOwner.OfThisProcess()));
        Assert.Equal(StorageErrorKind.Owned, error.Kind);
        Assert.Equal(1, await Store.AppendChatAsync([Record(1, 1)]));
    }

    [Fact]
    public async Task An_owner_whose_connection_was_cut_learns_that_another_server_took_the_database()
    {
        await Store.ClaimAsync(new DatabaseOwner("first", "host-a", 1, DateTimeOffset.UnixEpoch));

        await Space.ExecuteAsync("UPDATE database_owner SET owner_id = 'second', machine = 'host-b', process_id = 2");
        await Space.ExecuteAsync(
            $"SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '{Space.Name}' AND pid <> "
                + $"pg_backend_pid()");

        StorageException lost = await Store.OwnershipLost.WaitAsync(TestTimeouts.Hang);
        Assert.Contains("process 2 on host-b", lost.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_database_whose_encoding_does_not_take_every_text_is_refused_with_what_to_do()
    {
        string name = $"latin_{Guid.NewGuid():N}";
        await Space.ExecuteAsync($"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        try
        {
            var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString)
            {
                Database = name,
                SearchPath = null,
                Pooling = false,
            };
            await using var store = new PostgresChatStore(settings.ConnectionString);

            StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

            Assert.Equal(StorageErrorKind.Refused, error.Kind);
            Assert.Contains("has the encoding LATIN1", error.Message, StringComparison.Ordinal);
            Assert.Contains("ENCODING 'UTF8' TEMPLATE template0", error.Message, StringComparison.Ordinal);
        }
        finally
        {
            await Space.ExecuteAsync($"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    [Fact]
    public async Task A_wrong_password_is_refused_and_not_repeated()
    {
        var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString) { Password = "hunter2-wrong" };
        await using var store = new PostgresChatStore(settings.ConnectionString);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

        Assert.Equal(StorageErrorKind.Refused, error.Kind);
        Assert.DoesNotContain("hunter2", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_batch_that_fails_midway_leaves_nothing()
    {
        await Space.ExecuteAsync("ALTER TABLE chat_log ADD CHECK (text <> 'broken')");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() =>
            Store.AppendChatAsync([Record(1, 1), Record(1, 2, "broken")]));

        Assert.Equal(StorageErrorKind.RefusedValue, error.Kind);
        Assert.Empty(await Store.ReadChatAfterAsync(1, 0, 10));
        Assert.Null(await Store.GetRoomPositionAsync(1));
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (_space is not null)
        {
            await _space.DisposeAsync();
        }
    }

    protected override IChatStore OpenStore() => new PostgresChatStore(Space.ConnectionString);

    protected override Task RemoveDatabaseAsync() => Space.ClearAsync();

    protected override Task ExecuteAsync(string sql) => Space.ExecuteAsync(sql);

    protected override Task SetSchemaVersionAsync(int version) => Space.ExecuteAsync($"UPDATE playchat_schema SET version = {version}");
}
