using System.Globalization;
using System.Text;
using Inventory;
using PlayChat.Storage;

namespace PlayChat.Players.Tests;

/// <summary>What every store must do. The tests of a database derive from this.</summary>
public abstract partial class PlayerStoreContractTests : IAsyncLifetime
{
    private static readonly DateTimeOffset s_now = new DateTimeOffset(2024, 2, 29, 23, 59, 58, TimeSpan.Zero).AddTicks(1_234_560);

    private readonly List<IPlayerStore> _opened = [];

    protected ManualTimeProvider Time { get; } = new(s_now);

    protected IPlayerStore Store { get; private set; } = null!;

    public virtual async ValueTask InitializeAsync() => Store = await OpenAsync();

    public virtual async ValueTask DisposeAsync()
    {
        foreach (IPlayerStore store in _opened)
        {
            await store.DisposeAsync();
        }

        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task A_document_is_read_as_it_was_written()
    {
        byte[] value = [0, 1, 255, .. "안녕 👋"u8];
        TransactionResult result = await Store.ExecuteAsync([PlayerWrite.Put(Key("민아"), value, ownerReadable: true)]);

        PlayerDocument? found = await Store.ReadAsync(Key("민아"));

        Assert.Equal(
            (Key("민아"), result.Versions[0], true, s_now),
            (found!.Key, found.Version, found.IsOwnerReadable, found.UpdatedAt));
        Assert.Equal(value, found.Value.ToArray());
        Assert.Null(await Store.ReadAsync(Key("mina")));
        await Store.ExecuteAsync([PlayerWrite.Put(Key("민아"), default)]);
        Assert.Equal(0, (await Store.ReadAsync(Key("민아")))!.Value.Length);
    }

    [Fact]
    public async Task A_write_happens_only_if_the_document_has_the_version()
    {
        long first = await PutAsync(Key("ada"), "1", PlayerWrite.Absent);
        long second = await PutAsync(Key("ada"), "2", first);

        await AssertConflictAsync(PlayerWrite.Put(Key("ada"), "3"u8, first), second);
        await AssertConflictAsync(PlayerWrite.Put(Key("ada"), "3"u8, PlayerWrite.Absent), second);
        await AssertConflictAsync(PlayerWrite.Delete(Key("ada"), first), second);
        await AssertConflictAsync(PlayerWrite.Put(Key("bob"), "3"u8, second), PlayerWrite.Absent);
        await AssertConflictAsync(PlayerWrite.Delete(Key("bob"), second), PlayerWrite.Absent);

        Assert.Equal("2", await ReadAsync(Key("ada")));
        Assert.Equal([0L], (await Store.ExecuteAsync([PlayerWrite.Delete(Key("ada"), second)])).Versions);
        Assert.Null(await ReadAsync(Key("ada")));
        Assert.True((await Store.ExecuteAsync([PlayerWrite.Delete(Key("ada"))])).HasHappened);
    }

    [Fact]
    public async Task A_document_that_is_created_again_never_has_a_version_that_it_had_before()
    {
        var versions = new HashSet<long>();
        for (int i = 0; i < 50; i++)
        {
            versions.Add(await PutAsync(Key("ada"), "1", PlayerWrite.Absent));
            await Store.ExecuteAsync([PlayerWrite.Delete(Key("ada"))]);
        }

        Assert.Equal(50, versions.Count);
        Assert.All(versions, static version => Assert.InRange(version, 1, 1L << 53));
    }

    [Fact]
    public async Task A_transaction_over_several_players_happens_wholly_or_not_at_all_and_names_the_conflict()
    {
        long ada = await PutAsync(Key("ada"), "a");
        long bob = await PutAsync(Key("bob"), "b");

        TransactionResult refused = await Store.ExecuteAsync(
        [
            PlayerWrite.Put(Key("zoe"), "new"u8),
            PlayerWrite.Put(Key("bob"), "from ada"u8, ada),
            PlayerWrite.Delete(Key("ada"), ada),
        ]);

        Assert.False(refused.HasHappened);
        Assert.Equal(new TransactionConflict(1, Key("bob"), bob), refused.Conflict);
        Assert.Empty(refused.Versions);
        Assert.Equal(("a", "b", null), (await ReadAsync(Key("ada")), await ReadAsync(Key("bob")), await ReadAsync(Key("zoe"))));
        TransactionResult done = await Store.ExecuteAsync(
            [PlayerWrite.Put(Key("bob"), "from ada"u8, bob), PlayerWrite.Delete(Key("ada"), ada)]);
        Assert.True(done.HasHappened);
        Assert.Equal((await Store.ReadAsync(Key("bob")))!.Version, done.Versions[0]);
        Assert.Equal((null, "from ada"), (await ReadAsync(Key("ada")), await ReadAsync(Key("bob"))));
    }

    [Fact]
    public async Task Of_many_writers_that_expect_the_same_version_one_writes()
    {
        IPlayerStore[] stores = [Store, await OpenAsync(), await OpenAsync()];
        long version = await PutAsync(Key("ada"), "0");

        TransactionResult[] updates = await RaceAsync(i =>
            stores[i % 3].ExecuteAsync([PlayerWrite.Put(Key("ada"), Bytes(i), version)]));
        TransactionResult[] inserts = await RaceAsync(i =>
            stores[i % 3].ExecuteAsync([PlayerWrite.Put(Key("bob"), Bytes(i), PlayerWrite.Absent)]));
        await RaceAsync(i => stores[i % 3].ExecuteAsync([PlayerWrite.Put(Key("zoe"), Bytes(i))])); // without a condition all do

        Assert.Single(updates, static result => result.HasHappened);
        Assert.Single(inserts, static result => result.HasHappened);
        int winner = Array.FindIndex(updates, static result => result.HasHappened);
        Assert.Equal(winner.ToString(CultureInfo.InvariantCulture), await ReadAsync(Key("ada")));
    }

    [Fact]
    public async Task A_repeated_transaction_returns_the_first_result_and_does_nothing()
    {
        var key = new TransactionKey("ada", "order-1");
        Assert.Null(await Store.FindResultAsync(key));
        TransactionResult first = await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "1"u8), PlayerWrite.Delete(Key("bob"))], key);

        TransactionResult second = await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "2"u8, PlayerWrite.Absent)], key);

        Assert.Equal((true, false), (first.HasHappened, first.IsRepeat));
        Assert.Equal((true, true), (second.HasHappened, second.IsRepeat));
        Assert.Equal(first.Versions, second.Versions);
        Assert.Equal(first.Versions, (await Store.FindResultAsync(key))!.Versions);
        Assert.Equal("1", await ReadAsync(Key("ada")));
        Assert.False((await Store.ExecuteAsync([PlayerWrite.Put(Key("bob"), "2"u8)], new TransactionKey("bob", "order-1"))).IsRepeat);
    }

    [Fact]
    public async Task A_key_whose_transaction_had_a_conflict_is_free()
    {
        var key = new TransactionKey("ada", "order-1");
        TransactionResult refused = await Store.ExecuteAsync([PlayerWrite.Delete(Key("ada"), 5)], key);

        TransactionResult done = await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "1"u8)], key);

        Assert.Equal((false, true, false), (refused.HasHappened, done.HasHappened, done.IsRepeat));
    }

    [Fact]
    public async Task Of_calls_with_one_key_at_once_one_does_the_work()
    {
        IPlayerStore[] stores = [Store, await OpenAsync(), await OpenAsync()];

        TransactionResult[] results = await RaceAsync(i =>
            stores[i % 3].ExecuteAsync([PlayerWrite.Put(Key("ada", $"k{i}"), "x"u8)], new TransactionKey("ada", "order-1")));

        Assert.Single(results, static result => !result.IsRepeat);
        Assert.Single(results.Select(static result => result.Versions[0]).Distinct());
        Assert.Single(await Store.ListAsync("ada", "items"));
    }

    [Fact]
    public async Task A_key_is_forgotten_after_its_lifetime_with_the_next_transaction()
    {
        await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "1"u8)], new TransactionKey("ada", "old"));
        Time.Advance(TimeSpan.FromDays(20));
        await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "2"u8)], new TransactionKey("ada", "middle"));
        Time.Advance(TimeSpan.FromDays(11));

        await Store.ExecuteAsync([PlayerWrite.Put(Key("ada"), "3"u8)], new TransactionKey("ada", "new"));

        Assert.Equal(["middle", "new"], (await Store.ExportAsync("ada")).TransactionKeys);
    }

    [Fact]
    public async Task A_purchase_that_is_repeated_after_a_time_out_charges_once()
    {
        var inventory = new PlayerInventory(Store);
        await inventory.AddAsync("ada", "coins", 10);
        // The client gave up waiting: the first call is under way when the second comes, and is done when the third comes.
        InventoryOutcome[] outcomes = await RaceAsync(_ => inventory.BuyAsync("ada", "sword", 1, price: 7, "order-1"), count: 4);

        InventoryOutcome again = await inventory.BuyAsync("ada", "sword", 1, price: 7, "order-1");
        InventoryOutcome other = await inventory.BuyAsync("ada", "sword", 1, price: 7, "order-2");

        Assert.All(outcomes.Append(again), static outcome => Assert.Equal(InventoryOutcome.Done, outcome));
        Assert.Equal(InventoryOutcome.NotEnough, other);
        Assert.Equal((3, 1), (await inventory.CountAsync("ada", "coins"), await inventory.CountAsync("ada", "sword")));
    }

    [Fact]
    public async Task A_trade_gives_both_players_what_was_offered_or_changes_nothing()
    {
        var inventory = new PlayerInventory(Store);
        await inventory.AddAsync("ada", "coins", 10);
        Assert.True(await inventory.CreateItemAsync("bob", "Stormbringer", "black"));
        Assert.False(await inventory.CreateItemAsync("bob", "Stormbringer", "another"));
        var sword = new Offer("bob") { Items = ["Stormbringer"] };

        Assert.Equal(InventoryOutcome.NotEnough, await inventory.TradeAsync(new Offer("ada") { Stacks = [("coins", 11)] }, sword));
        Assert.Equal(InventoryOutcome.Done, await inventory.TradeAsync(new Offer("ada") { Stacks = [("coins", 10)] }, sword));
        Assert.Equal(InventoryOutcome.NotEnough, await inventory.TradeAsync(new Offer("ada") { Stacks = [("coins", 0)] }, sword));

        Assert.Equal((0, 10), (await inventory.CountAsync("ada", "coins"), await inventory.CountAsync("bob", "coins")));
        Assert.Equal(["Stormbringer"], await inventory.ListItemsAsync("ada"));
        Assert.Equal("black", await ReadAsync(new DocumentKey("ada", "items", "Stormbringer")));
    }

    protected abstract PlayerStore Open(PlayerStoreOptions? options);

    protected PlayerStoreOptions Options(PlayerStoreOptions? options)
    {
        options ??= new PlayerStoreOptions();
        options.Time = Time;
        return options;
    }

    protected static DocumentKey Key(string player, string key = "sword") => new(player, "items", key);

    protected async Task<IPlayerStore> OpenAsync(PlayerStoreOptions? options = null)
    {
        PlayerStore store = Open(options);
        _opened.Add(store);
        await store.InitializeAsync();
        return store;
    }

    protected async Task<long> PutAsync(DocumentKey key, string value, long? ifVersion = null) =>
        (await Store.ExecuteAsync([PlayerWrite.Put(key, Encoding.UTF8.GetBytes(value), ifVersion)])).Versions[0];

    protected async Task<string?> ReadAsync(DocumentKey key) =>
        await Store.ReadAsync(key) is { } found ? Encoding.UTF8.GetString(found.Value.Span) : null;

    private static byte[] Bytes(int number) => Encoding.UTF8.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    private static Task<T[]> RaceAsync<T>(Func<int, Task<T>> start, int count = 12) =>
        Task.WhenAll(Enumerable.Range(0, count).Select(i => Task.Run(() => start(i)))).WaitAsync(TestTimeouts.Hang);

    private async Task AssertConflictAsync(PlayerWrite write, long found) =>
        Assert.Equal(new TransactionConflict(0, write.Key, found), (await Store.ExecuteAsync([write])).Conflict);
}
