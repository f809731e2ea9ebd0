using System.Globalization;
using Inventory;
using PlayChat.Players;

namespace PlayChat.TradeProbe;

/// <summary>Players that trade items and coins at random, and a count of what they have.</summary>
public static class RandomTrades
{
    /// <summary>How many players there are.</summary>
    public const int Players = 20;

    /// <summary>How many items exist, each once.</summary>
    public const int Items = 1000;

    /// <summary>How many coins each player has at first.</summary>
    public const long Coins = 100;

    /// <summary>The name of a player.</summary>
    public static string NameOf(int player) => string.Create(CultureInfo.InvariantCulture, $"player {player}");

    /// <summary>Deals all items and coins.</summary>
    public static async Task DealAsync(IPlayerStore store)
    {
        const int PerPlayer = Items / Players;
        for (int player = 0; player < Players; player++)
        {
            PlayerWrite[] writes =
            [
                PlayerWrite.Put(new DocumentKey(NameOf(player), "stacks", "coins"), "100"u8, PlayerWrite.Absent),
                .. Enumerable.Range(player * PerPlayer, PerPlayer).Select(item =>
                    PlayerWrite.Put(new DocumentKey(NameOf(player), "items", $"item-{item:0000}"), "x"u8, PlayerWrite.Absent)),
            ];
            await store.ExecuteAsync(writes);
        }
    }

    /// <summary>Two players trade some coins and an item.</summary>
    public static async Task<InventoryOutcome> TradeAsync(PlayerInventory inventory, Random random)
    {
        int one = random.Next(Players);
        int other = (one + 1 + random.Next(Players - 1)) % Players;
        return await inventory.TradeAsync(
            await OfferAsync(inventory, NameOf(one), random), await OfferAsync(inventory, NameOf(other), random));
    }

    /// <summary>Finds every difference between what players have and what was dealt.</summary>
    public static async Task<IReadOnlyList<string>> FindDifferencesAsync(IPlayerStore store)
    {
        var inventory = new PlayerInventory(store);
        long coins = 0;
        var items = new List<string>();
        for (int player = 0; player < Players; player++)
        {
            coins += await inventory.CountAsync(NameOf(player), "coins");
            items.AddRange(await inventory.ListItemsAsync(NameOf(player)));
        }

        return
        [
            .. items.GroupBy(static item => item, StringComparer.Ordinal).Where(static item => item.Count() > 1)
                .Select(static item => $"{item.Key} is there twice"),
            .. Enumerable.Range(0, Items).Select(static item => $"item-{item:0000}").Except(items, StringComparer.Ordinal)
                .Select(static item => $"{item} is lost"),
            .. coins == Players * Coins ? Array.Empty<string>() : [$"There are {coins} coins"],
        ];
    }

    private static async Task<Offer> OfferAsync(PlayerInventory inventory, string player, Random random)
    {
        IReadOnlyList<string> items = await inventory.ListItemsAsync(player);
        return new Offer(player)
        {
            Stacks = [("coins", random.Next(10))],
            Items = items.Count == 0 ? [] : [items[random.Next(items.Count)]],
        };
    }
}
