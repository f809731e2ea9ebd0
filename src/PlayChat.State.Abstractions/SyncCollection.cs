using System.Diagnostics;

namespace PlayChat.State;

/// <summary>The base of <see cref="SyncList{T}"/> and <see cref="SyncMap{TKey, TValue}"/>.</summary>
public abstract class SyncCollection
{
    private const uint Never = uint.MaxValue;

    private SyncObject? _owner;
    private ulong _slot; // of the owner, as a bit
    private uint _changedAfter = Never; // the revision after which it was changed

    private protected SyncCollection()
    {
    }

    /// <summary>The number of items.</summary>
    public abstract int Count { get; }

    /// <summary>The object that has it in a field.</summary>
    private protected SyncObject Owner =>
        _owner ?? throw new InvalidOperationException("This list or map is not the initial value of a field with [Sync].");

    private protected StateTracker? Tracker => Owner.Tracker;

    private protected bool IsViewed => (Owner.SyncType.ViewedMaps & _slot) != 0;

    /// <summary>How its items and keys are written.</summary>
    private protected (object? Item, object? Key) Forms { get; private set; }

    internal void Bind(SyncObject owner, ulong slot, SyncSpec spec)
    {
        if (_owner is not null)
        {
            throw new InvalidOperationException("Two fields have the same list or map.");
        }

        (_owner, _slot, Forms) = (owner, slot, spec.Forms);
    }

    /// <summary>Forgets what was changed: clients get all of it.</summary>
    internal void ForgetChange() => _changedAfter = Never;

    internal abstract void Write(StateWriter writer, StateForm form);

    internal abstract void VisitItems(Action<object> see);

    /// <summary>The object of an index or a key.</summary>
    internal abstract SyncObject? Find(in SyncValue key);

    /// <summary>List: replaces items by received ones. Objects that are in both stay.</summary>
    internal virtual void Splice(int start, int removed, List<SyncValue> added, ReceivedEdits edits) => throw new UnreachableException();

    /// <summary>Map: sets a key to what was received, unless it has that.</summary>
    /// <returns>False if it was set already since <see cref="EndSetting"/>.</returns>
    internal virtual bool Set(in SyncValue key, in SyncValue value, ReceivedEdits edits) => throw new UnreachableException();

    /// <summary>Map: ends a number of calls of <see cref="Set"/>.</summary>
    /// <param name="isWhole">Whether all other keys are to be removed.</param>
    /// <param name="edits">What was done.</param>
    internal virtual void EndSetting(bool isWhole, ReceivedEdits edits) => throw new UnreachableException();

    /// <summary>Map: removes a key.</summary>
    internal virtual void Remove(in SyncValue key, ReceivedEdits edits) => throw new UnreachableException();

    /// <summary>Map: writes the key that an object in it has.</summary>
    internal virtual void WriteKey(StateWriter writer, object key) => throw new UnreachableException();

    /// <summary>Gives an item its place, if it is an object, and checks texts. Allocates nothing for other items.</summary>
    private protected void Enter<TItem, TKey>(TItem item, TKey key)
    {
        if (item is SyncObject entering)
        {
            entering.EnterPlace(Owner, _slot, key);
        }
        else if (item is null)
        {
            throw new ArgumentNullException(nameof(item));
        }

        Tracker?.Check(item as string);
        Tracker?.Check(key as string);
    }

    /// <summary>Notes a change.</summary>
    /// <returns>Whether it is the first one since the last patch.</returns>
    private protected bool NoteChange(StateTracker tracker)
    {
        bool isFirst = _changedAfter != tracker.Revision;
        _changedAfter = tracker.Revision;
        Owner.NoteSync(_slot);
        return isFirst;
    }
}
