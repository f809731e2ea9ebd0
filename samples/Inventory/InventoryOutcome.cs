namespace Inventory;

/// <summary>What became of a change.</summary>
public enum InventoryOutcome
{
    /// <summary>It has happened.</summary>
    Done,

    /// <summary>A player has less than it gives. Nothing has happened.</summary>
    NotEnough,

    /// <summary>Others change the same stacks all the time. Nothing has happened.</summary>
    TooBusy,
}
