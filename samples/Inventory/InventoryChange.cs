namespace Inventory;

/// <summary>What one transaction changes.</summary>
internal sealed class InventoryChange
{
    public List<(string Player, string Thing, long By)> Stacks { get; } = [];

    public List<(string From, string To, string Item)> Items { get; } = [];

    public void Add(Offer offer, string to)
    {
        foreach ((string thing, long count) in offer.Stacks)
        {
            if (count < 0)
            {
                throw new ArgumentException("A player offers what it gives, and gets what the other one offers.", nameof(offer));
            }

            Stacks.Add((offer.Player, thing, -count));
            Stacks.Add((to, thing, count));
        }

        Items.AddRange(offer.Items.Select(item => (offer.Player, to, item)));
    }
}
