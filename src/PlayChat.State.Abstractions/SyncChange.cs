namespace PlayChat.State;

/// <summary>Which fields of an object a snapshot or a patch has set.</summary>
public readonly struct SyncChange
{
    private readonly SyncType? _type;
    private readonly ulong _slots;

    internal SyncChange(SyncType type, ulong slots) => (_type, _slots) = (type, slots);

    /// <summary>Returns whether a property was set, for example <c>change.Has(nameof(Player.Score))</c>.</summary>
    public bool Has(string property)
    {
        int slot = Array.FindIndex(_type?.Fields ?? [], field => field.Name == property);
        return slot >= 0 && (_slots & (1UL << slot)) != 0;
    }
}
