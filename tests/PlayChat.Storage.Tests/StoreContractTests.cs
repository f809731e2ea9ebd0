using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests;

/// <summary>What every store must do. A provider's tests derive from this and open their database.</summary>
public abstract partial class StoreContractTests : IAsyncLifetime
{
    private static readonly DateTimeOffset s_now = new DateTimeOffset(2024, 2, 29, 23, 59, 58, TimeSpan.Zero).AddTicks(1_234_560);

    private readonly List<IChatStore> _opened = [];

    protected IChatStore Store { get; private set; } = null!;

    public virtual async ValueTask InitializeAsync()
    {
        Store = Open();
        await Store.InitializeAsync();
    }

    public virtual async ValueTask DisposeAsync()
    {
        foreach (IChatStore store in _opened)
        {
            await store.DisposeAsync();
        }
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Initializing_again_keeps_what_is_stored()
    {
        await Store.CreateAccountAsync("mina", null, s_now);

        await Store.InitializeAsync();

        Assert.NotNull(await Store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task Stores_that_initialize_at_once_leave_one_schema()
    {
        await RemoveDatabaseAsync();
        IChatStore[] stores = Enumerable.Range(0, 8).Select(_ => Open()).ToArray();

        await Task.WhenAll(stores.Select(store => Task.Run(() => store.InitializeAsync()))).WaitAsync(TestTimeouts.Hang);

        await stores[0].CreateAccountAsync("mina", null, s_now);
        Assert.NotNull(await stores[^1].FindAccountAsync("mina"));
    }

    [Fact]
    public async Task A_reopened_database_has_all_that_was_stored()
    {
        CreateAccountResult created = await Store.CreateAccountAsync("민아", "hash", s_now);
        await Store.AppendChatAsync([Record(7, 1, "안녕 👋"), Record(7, 2, "또 만나")]);

        IChatStore reopened = await ReopenAsync();

        Assert.Equal(created.Account, await reopened.FindAccountAsync("민아"));
        Assert.Equal("안녕 👋 또 만나", await TextsAsync(reopened, 7));
        Assert.Equal(7, await reopened.GetLastRoomIdAsync());
        CreateAccountResult next = await reopened.CreateAccountAsync("jun", null, s_now);
        Assert.Equal(created.Account.Id + 1, next.Account.Id);
    }

    [Fact]
    public async Task A_store_refuses_work_before_it_is_initialized_and_after_it_is_disposed()
    {
        IChatStore early = Open();
        await Assert.ThrowsAsync<InvalidOperationException>(() => early.FindAccountAsync("mina"));

        await Store.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => Store.FindAccountAsync("mina"));
        await Store.DisposeAsync();
    }

    [Fact]
    public async Task Metrics_count_connections_calls_and_rows()
    {
        StorageMetrics metrics = Store.Metrics;
        long before = metrics.Operations;

        await Task.WhenAll(Enumerable.Range(1, 20).Select(i => Store.AppendChatAsync([Record(1, i), Record(2, i)])))
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(before + 20, metrics.Operations);
        Assert.Equal(metrics.Operations, metrics.Acquires);
        Assert.Equal(40, metrics.RowsWritten);
        Assert.Equal(0, metrics.InUse);
        Assert.True(metrics.PeakInUse >= 1);
        Assert.True(metrics.AcquireWaitTotalMilliseconds > 0);
        Assert.Equal(0, metrics.Failures);
        Assert.Equal(0, metrics.AcquireTimeouts);
    }

    [Fact]
    public async Task Metrics_tell_each_kind_of_work_apart()
    {
        await Store.CreateAccountAsync("mina", null, s_now);
        await Store.FindAccountAsync("mina");
        await Store.FindAccountAsync("jun");
        await Store.AppendChatAsync([Record(1, 1)]);

        OperationMetrics finding = Store.Metrics.Of(StoreOperation.ReadAccount);
        Assert.Equal((2, 0), (finding.Count, finding.Failures));
        Assert.InRange(finding.MaxMilliseconds, double.Epsilon, finding.TotalMilliseconds);
        Assert.Equal(1, Store.Metrics.Of(StoreOperation.WriteAccount).Count);
        Assert.Equal(1, Store.Metrics.Of(StoreOperation.AppendChat).Count);
        Assert.Equal(0, Store.Metrics.Of(StoreOperation.ReadChat).Count);
        Assert.Equal(Store.Metrics.Operations, Enum.GetValues<StoreOperation>().Sum(operation => Store.Metrics.Of(operation).Count));
    }

    [Fact]
    public async Task A_database_that_is_newer_than_the_program_is_refused()
    {
        await SetSchemaVersionAsync(99);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NewerSchema, error.Kind);
        Assert.Contains("99", error.Message, StringComparison.Ordinal);
    }

    /// <summary>A new store on this test's database, the same each time.</summary>
    protected abstract IChatStore OpenStore();

    /// <summary>Empties or deletes this test's database.</summary>
    protected abstract Task RemoveDatabaseAsync();

    /// <summary>Writes another schema version into this test's database.</summary>
    protected abstract Task SetSchemaVersionAsync(int version);

    /// <summary>Runs a statement on this test's database, past the store.</summary>
    protected abstract Task ExecuteAsync(string sql);

    protected static ChatRecord Record(long roomId, long sequence, string text = "hello", string? roomName = "lobby") =>
        new(roomId, sequence, PlayerId: 3, "mina", text, s_now.AddSeconds(sequence), roomName);

    private static async Task<string> TextsAsync(IChatStore store, long roomId) =>
        string.Join(' ', (await store.ReadChatAfterAsync(roomId, 0, IChatStore.MaxReadLimit)).Select(record => record.Text));

    protected IChatStore Open()
    {
        IChatStore store = OpenStore();
        _opened.Add(store);
        return store;
    }

    private async Task<IChatStore> ReopenAsync()
    {
        await Store.DisposeAsync();
        IChatStore reopened = Open();
        await reopened.InitializeAsync();
        return reopened;
    }
}
