namespace PlayChat.State;

/// <summary>The base of <see cref="SyncList{T}"/> and <see cref="SyncMap{TKey, TValue}"/>.</summary>
public abstract class SyncCollection
{
    private SyncObject? _owner;

    private protected SyncCollection()
    {
    }

    /// <summary>The number of items.</summary>
    public abstract int Count { get; }

    /// <summary>The object that has it in a field.</summary>
    private protected SyncObject Owner =>
        _owner ?? throw new InvalidOperationException("This list or map is not the initial value of a field with [Sync].");

    /// <summary>The slot of that field, as a bit.</summary>
    private protected ulong Slot { get; private set; }

    private protected StateTracker? Tracker => Owner.Tracker;

    internal abstract void Write(StateWriter writer, StateForm form);

    /// <summary>Forgets what has changed since the last patch.</summary>
    internal abstract void EndChange(uint revision);

    internal abstract void VisitItems(SyncVisitor visitor);

    /// <summary>Makes an empty object for a place in it.</summary>
    internal abstract SyncObject NewItem();

    /// <summary>List: the object at an index.</summary>
    internal virtual SyncObject? ObjectAt(int index) => null;

    /// <summary>List: replaces items by received ones. Objects that are in both stay.</summary>
    internal virtual void Splice(int start, int removed, List<SyncValue> added, ReceivedEdits edits)
    {
    }

    /// <summary>Map: the object of a key.</summary>
    internal virtual SyncObject? Find(in SyncValue key) => null;

    /// <summary>Map: sets a key to what was received, unless it has that.</summary>
    internal virtual void Set(in SyncValue key, in SyncValue value, ReceivedEdits edits)
    {
    }

    /// <summary>Map: removes a key.</summary>
    internal virtual void Remove(in SyncValue key, ReceivedEdits edits)
    {
    }

    /// <summary>Map: removes all keys but some.</summary>
    internal virtual void KeepOnly(List<SyncValue> keys, ReceivedEdits edits)
    {
    }

    /// <summary>Map: writes the key that an object in it has.</summary>
    internal virtual void WriteKey(StateWriter writer, object key)
    {
    }

    private protected void Bind(SyncObject owner, ulong slot)
    {
        if (_owner is not null)
        {
            throw new InvalidOperationException("Two fields have the same list or map.");
        }

        (_owner, Slot) = (owner, slot);
    }

    /// <summary>Gives an item its place, if it is an object, and checks texts. Allocates nothing for other items.</summary>
    private protected void Enter<TItem, TKey>(TItem item, TKey key)
    {
        if (item is SyncObject entering)
        {
            entering.EnterPlace(Owner, Slot, key);
        }
        else if (item is null)
        {
            throw new ArgumentNullException(nameof(item));
        }

        Tracker?.Check(item as string);
        Tracker?.Check(key as string);
    }
}
