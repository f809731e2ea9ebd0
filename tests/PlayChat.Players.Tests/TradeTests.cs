using FsCheck;
using FsCheck.Fluent;
using Inventory;
using Microsoft.Data.Sqlite;
using Npgsql;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities.Processes;
using PlayChat.TradeProbe;

namespace PlayChat.Players.Tests;

/// <summary>20 players trade 1,000 items and their coins at random: nothing is lost and nothing is doubled.</summary>
public sealed class TradeTests
{
    private const int Stores = 3;
    private const int TradesPerStore = 60;
    private const int Kills = 4;

    [Fact]
    public void Random_trades_over_three_stores_on_SQLite_keep_every_item_once_though_the_file_is_locked_now_and_then() =>
        CheckAnySeed(static async seed =>
        {
            using var folder = new TemporaryDirectory();
            string path = folder.Combine("players.db");
            await TradeAsync(
                () => PlayerStore.OnSqlite(new SqliteStoreOptions { Path = path, BusyTimeout = TimeSpan.Zero }),
                new Random(seed),
                tradesPerFailure: 40, // a call takes a second to notice the lock
                async store =>
                {
                    await using var other = new SqliteConnection($"Data Source={path};Pooling=False");
                    await other.OpenAsync();
                    await using (other.BeginTransaction())
                    {
                        await Assert.ThrowsAsync<StorageException>(() =>
                            store.ExecuteAsync([PlayerWrite.Put(new DocumentKey("bystander", "x", "x"), "x"u8)]));
                    }
                });
        });

    [Fact]
    [Trait("Tier", "Full")]
    public void Random_trades_over_three_stores_on_PostgreSQL_keep_every_item_once_though_connections_break()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        CheckAnySeed(static async seed =>
        {
            await using PostgresSpace space = await PostgresSpace.CreateAsync();
            var settings = new NpgsqlConnectionStringBuilder(space.ConnectionString) { ApplicationName = "breaker" };
            await using var breaker = NpgsqlDataSource.Create(settings);
            await TradeAsync(
                () => PlayerStore.OnPostgres(space.ConnectionString),
                new Random(seed),
                tradesPerFailure: 5,
                async _ =>
                {
                    await using NpgsqlCommand command = breaker.CreateCommand(
                        $"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{space.Name}' "
                            + "ORDER BY random() LIMIT 1");
                    await command.ExecuteNonQueryAsync();
                });
        });
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Processes_that_are_killed_while_they_trade_on_SQLite_lose_and_double_nothing()
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("players.db");
        await using PlayerStore store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = path });

        await KillTradersAsync(store, "sqlite", path);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Processes_that_are_killed_while_they_trade_on_PostgreSQL_lose_and_double_nothing()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        await using PlayerStore store = PlayerStore.OnPostgres(space.ConnectionString);

        await KillTradersAsync(store, "postgres", space.ConnectionString);
    }

    private static void CheckAnySeed(Func<int, Task> check) => Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), check)
        .Check(Config.QuickThrowOnFailure.WithMaxTest(2).WithQuietOnSuccess(true));

    private static async Task TradeAsync(Func<PlayerStore> open, Random random, int tradesPerFailure, Func<PlayerStore, Task> failAsync)
    {
        PlayerStore[] stores = [.. Enumerable.Range(0, Stores).Select(_ => open())];
        await Task.WhenAll(stores.Select(static store => store.InitializeAsync()));
        await RandomTrades.DealAsync(stores[0]);
        int[] seeds = [.. stores.Select(_ => random.Next())];

        await Task.WhenAll(stores.Select((store, i) => Task.Run(() =>
            TradeOnAsync(store, new Random(seeds[i]), tradesPerFailure, failAsync)))).WaitAsync(TestTimeouts.Hang);

        Assert.Empty(await RandomTrades.FindDifferencesAsync(stores[^1]));
        foreach (PlayerStore store in stores)
        {
            await store.DisposeAsync();
        }
    }

    /// <summary>Trades until enough trades have happened, whatever fails between them.</summary>
    private static async Task TradeOnAsync(PlayerStore store, Random random, int tradesPerFailure, Func<PlayerStore, Task> failAsync)
    {
        var inventory = new PlayerInventory(store);
        for (int done = 0; done < TradesPerStore;)
        {
            try
            {
                if (await RandomTrades.TradeAsync(inventory, random) == InventoryOutcome.Done && ++done % tradesPerFailure == 0)
                {
                    await failAsync(store);
                }
            }
            catch (StorageException exception) when (exception.Kind is StorageErrorKind.Busy or StorageErrorKind.Unavailable)
            {
                // The trade happened wholly or not at all; the next one is another.
            }
            catch (SqliteException exception) when (exception.SqliteErrorCode == 5)
            {
                // Another trader holds the lock that this one wanted to hold.
            }
        }
    }

    private static async Task KillTradersAsync(PlayerStore store, params string[] database)
    {
        await store.InitializeAsync();
        await RandomTrades.DealAsync(store);
        for (int kill = 0; kill < Kills; kill++)
        {
            var traders = new List<ProgramProcess>();
            for (int i = 0; i < Stores; i++)
            {
                traders.Add(ProgramProcess.Start(
                    ProgramFile.Find("PlayChat.TradeProbe"), Path.GetTempPath(), [.. database, $"{(kill * Stores) + i}"]));
            }

            foreach (ProgramProcess trader in traders)
            {
                await trader.WaitForLineAsync(static line => line == nameof(InventoryOutcome.Done));
            }

            foreach (ProgramProcess trader in traders)
            {
                trader.Kill(); // SIGKILL, in the middle of whatever it does
                await trader.DisposeAsync();
            }

            Assert.Empty(await RandomTrades.FindDifferencesAsync(store));
        }
    }
}
