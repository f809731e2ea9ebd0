using System.Globalization;
using System.Text;
using Inventory;
using Npgsql;
using PlayChat.Storage;

namespace PlayChat.Players.Tests;

/// <summary>The server has committed, and the answer is lost on the way.</summary>
public sealed class LostAnswerTests : IAsyncLifetime
{
    private static readonly DocumentKey s_coins = new("ada", "stacks", "coins");

    private PostgresSpace _space = null!;
    private AnswerLosingProxy _proxy = null!;
    private PlayerStore _store = null!;

    public async ValueTask InitializeAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        _space = await PostgresSpace.CreateAsync();
        var settings = new NpgsqlConnectionStringBuilder(_space.ConnectionString);
        _proxy = new AnswerLosingProxy(settings.Port);
        settings.Host = "127.0.0.1";
        settings.Port = _proxy.Port;
        settings.SslMode = SslMode.Disable; // the proxy reads what passes
        _store = PlayerStore.OnPostgres(settings.ConnectionString);
        await _store.InitializeAsync();
        await _store.ExecuteAsync([PlayerWrite.Put(s_coins, "10"u8)]);
    }

    public async ValueTask DisposeAsync()
    {
        if (_space is not null)
        {
            await _store.DisposeAsync();
            await _proxy.DisposeAsync();
            await _space.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_transaction_without_a_key_is_not_repeated_and_its_caller_learns_that_it_may_have_happened()
    {
        _proxy.LoseNext();

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => _store.ExecuteAsync([PlayerWrite.Put(s_coins, "3"u8)]));

        Assert.Equal(StorageErrorKind.Unavailable, error.Kind);
        Assert.Contains("did not answer whether", error.Message, StringComparison.Ordinal);
        Assert.Equal(3, await CountAsync());
    }

    [Fact]
    public async Task A_transaction_with_a_key_is_repeated_by_the_store_and_finds_its_own_result()
    {
        PlayerDocument before = (await _store.ReadAsync(s_coins))!;
        _proxy.LoseNext();

        TransactionResult result = await _store.ExecuteAsync(
            [PlayerWrite.Put(s_coins, "3"u8, before.Version)], new TransactionKey("ada", "order-1"));

        Assert.Equal((true, false), (result.HasHappened, result.IsRepeat));
        Assert.Equal((await _store.ReadAsync(s_coins))!.Version, result.Versions[0]);
    }

    [Fact]
    public async Task A_purchase_whose_answer_is_lost_charges_once_however_often_it_is_repeated()
    {
        var inventory = new PlayerInventory(_store);
        for (int i = 0; i < 3; i++)
        {
            _proxy.LoseNext();
            Assert.Equal(InventoryOutcome.Done, await inventory.BuyAsync("ada", "sword", 1, price: 7, "order-1"));
        }

        Assert.Equal(3, await CountAsync());
        Assert.Equal(1, await inventory.CountAsync("ada", "sword"));
    }

    private async Task<long> CountAsync() =>
        long.Parse(Encoding.UTF8.GetString((await _store.ReadAsync(s_coins))!.Value.Span), CultureInfo.InvariantCulture);
}
