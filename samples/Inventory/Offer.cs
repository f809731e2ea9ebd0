namespace Inventory;

/// <summary>What a player gives in a trade.</summary>
public sealed record Offer(string Player)
{
    /// <summary>How many of which things.</summary>
    public IReadOnlyList<(string Thing, long Count)> Stacks { get; init; } = [];

    /// <summary>Items that exist once.</summary>
    public IReadOnlyList<string> Items { get; init; } = [];
}
