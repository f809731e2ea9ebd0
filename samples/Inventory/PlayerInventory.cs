using System.Globalization;
using System.Text;
using PlayChat.Players;

namespace Inventory;

/// <summary>What players have: stacks of equal things, such as coins, and items that exist once, such as a sword with a name.</summary>
/// <remarks>
/// Each stack and each item is a document of its owner. A change reads the documents that it needs and writes them on condition that they
/// are still as they were; if another change was faster, it reads again. So any number of servers may share the store.
/// </remarks>
public sealed class PlayerInventory(IPlayerStore store)
{
    private const string Stacks = "stacks";
    private const string Items = "items";

    // A change that loses against others this often gives way: its player presses the button again.
    private const int MaxAttempts = 20;

    /// <summary>How many of a thing a player has.</summary>
    public async Task<long> CountAsync(string player, string thing) =>
        CountOf(await store.ReadAsync(new DocumentKey(player, Stacks, thing)));

    /// <summary>The items of a player, up to 1,000.</summary>
    public async Task<IReadOnlyList<string>> ListItemsAsync(string player) =>
        [.. (await store.ListAsync(player, Items, limit: IPlayerStore.MaxReadLimit)).Select(static item => item.Key.Key)];

    /// <summary>Adds to a stack, or takes from it.</summary>
    public Task<InventoryOutcome> AddAsync(string player, string thing, long count) =>
        ChangeAsync(new InventoryChange { Stacks = { (player, thing, count) } });

    /// <summary>Creates an item that exists once.</summary>
    /// <returns>False if the player has an item of this name.</returns>
    public async Task<bool> CreateItemAsync(string player, string item, string description)
    {
        var key = new DocumentKey(player, Items, item);
        return (await store.ExecuteAsync([Put(key, description, PlayerWrite.Absent)])).HasHappened;
    }

    /// <summary>Two players give each other what they offer, or nothing happens.</summary>
    public Task<InventoryOutcome> TradeAsync(Offer one, Offer other)
    {
        var change = new InventoryChange();
        change.Add(one, to: other.Player);
        change.Add(other, to: one.Player);
        return ChangeAsync(change);
    }

    /// <summary>Sells to a player for coins. Repeated with the same order number, for example after a time-out, it charges once.</summary>
    public Task<InventoryOutcome> BuyAsync(string player, string thing, long count, long price, string orderNumber) => ChangeAsync(
        new InventoryChange { Stacks = { (player, "coins", -price), (player, thing, count) } },
        new TransactionKey(player, orderNumber));

    private async Task<InventoryOutcome> ChangeAsync(InventoryChange change, TransactionKey? key = null)
    {
        for (int attempt = 0; attempt < MaxAttempts; attempt++)
        {
            var writes = new List<PlayerWrite>();
            InventoryOutcome outcome = await AddStacksAsync(change, writes);
            outcome = outcome == InventoryOutcome.Done ? await AddItemsAsync(change, writes) : outcome;
            if (outcome != InventoryOutcome.Done)
            {
                // A repeated purchase may lack the coins because the first call has spent them.
                return key is { } order && await store.FindResultAsync(order) is not null ? InventoryOutcome.Done : outcome;
            }

            if (writes.Count == 0 || (await store.ExecuteAsync(writes, key)).HasHappened)
            {
                return InventoryOutcome.Done;
            }
        }

        return InventoryOutcome.TooBusy;
    }

    private async Task<InventoryOutcome> AddStacksAsync(InventoryChange change, List<PlayerWrite> writes)
    {
        foreach (var stack in change.Stacks.GroupBy(static change => new DocumentKey(change.Player, Stacks, change.Thing)))
        {
            PlayerDocument? found = await store.ReadAsync(stack.Key);
            long had = CountOf(found);
            long has = had + stack.Sum(static change => change.By);
            if (has < 0)
            {
                return InventoryOutcome.NotEnough;
            }

            if (has != had)
            {
                writes.Add(has == 0
                    ? PlayerWrite.Delete(stack.Key, found!.Version)
                    : Put(stack.Key, has.ToString(CultureInfo.InvariantCulture), found?.Version ?? PlayerWrite.Absent));
            }
        }

        return InventoryOutcome.Done;
    }

    private async Task<InventoryOutcome> AddItemsAsync(InventoryChange change, List<PlayerWrite> writes)
    {
        foreach ((string from, string to, string item) in change.Items)
        {
            if (await store.ReadAsync(new DocumentKey(from, Items, item)) is not { } found)
            {
                return InventoryOutcome.NotEnough;
            }

            writes.Add(PlayerWrite.Delete(found.Key, found.Version));
            writes.Add(PlayerWrite.Put(
                new DocumentKey(to, Items, item), found.Value.Span, PlayerWrite.Absent, ownerReadable: true));
        }

        return InventoryOutcome.Done;
    }

    private static PlayerWrite Put(DocumentKey key, string text, long ifVersion) =>
        PlayerWrite.Put(key, Encoding.UTF8.GetBytes(text), ifVersion, ownerReadable: true);

    private static long CountOf(PlayerDocument? stack) =>
        stack is null ? 0 : long.Parse(Encoding.UTF8.GetString(stack.Value.Span), CultureInfo.InvariantCulture);
}
