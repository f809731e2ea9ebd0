using Inventory;
using PlayChat.Players;
using PlayChat.Storage.Sqlite;

// With a connection string the inventory is in PostgreSQL, else in a file.
await using PlayerStore store = args.Length > 0
    ? PlayerStore.OnPostgres(args[0]) : PlayerStore.OnSqlite(new SqliteStoreOptions { Path = "inventory.db" });
await store.InitializeAsync();
var inventory = new PlayerInventory(store);

// Each run gives coins and a new sword. The arrows come once, because their order number is the same in all runs.
string sword = $"sword-{Guid.NewGuid():N}"[..12];
await inventory.BuyAsync("ada", "arrows", 50, price: 0, orderNumber: "welcome");
await inventory.BuyAsync("ada", "coins", 100, price: 0, orderNumber: Guid.NewGuid().ToString("N"));
await inventory.CreateItemAsync("bob", sword, "black, and older than the game");

InventoryOutcome traded = await inventory.TradeAsync(
    new Offer("ada") { Stacks = [("coins", 60)] },
    new Offer("bob") { Items = [sword] });
Console.WriteLine($"Trade: {traded}");
foreach (string player in new[] { "ada", "bob" })
{
    Console.WriteLine($"{player}: {await inventory.CountAsync(player, "coins")} coins, "
        + $"{await inventory.CountAsync(player, "arrows")} arrows, {string.Join(", ", await inventory.ListItemsAsync(player))}");
}
