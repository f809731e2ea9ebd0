using Inventory;
using PlayChat.Players;
using PlayChat.Storage.Sqlite;
using PlayChat.TradeProbe;

// Trades until it is killed. Arguments: "sqlite" and a file, or "postgres" and a connection string; a seed.
await using PlayerStore store = args[0] == "postgres"
    ? PlayerStore.OnPostgres(args[1]) : PlayerStore.OnSqlite(new SqliteStoreOptions { Path = args[1] });
await store.InitializeAsync();
var inventory = new PlayerInventory(store);
var random = new Random(int.Parse(args[2], System.Globalization.CultureInfo.InvariantCulture));
while (true)
{
    Console.WriteLine(await RandomTrades.TradeAsync(inventory, random));
}
