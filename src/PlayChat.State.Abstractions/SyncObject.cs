namespace PlayChat.State;

/// <summary>The base of every class with <see cref="SyncStateAttribute"/>; the generator adds it.</summary>
/// <remarks>
/// An object stands in one place of one state: a field, a list or a map. On a server use it only in the room's turn; on a client, from one
/// thread at a time.
/// </remarks>
public abstract class SyncObject
{
    /// <summary>A member that is behind by less than one epoch gets a patch; by more than two, a snapshot.</summary>
    internal const uint RevisionsPerEpoch = 128;

    private ulong _changed; // slots that were set since the last patch
    private uint _changedAt; // the revision that has changed it last
    private ulong _epochChange; // the slots that were changed in the epoch of that revision,
    private ulong _formerChange; // and in the one before

    /// <summary>Makes an object that is in no state.</summary>
    protected SyncObject()
    {
        for (ulong left = SyncType.Collections; left != 0; left &= left - 1)
        {
            int slot = BitOperations.TrailingZeroCount(left);
            ((SyncCollection)GetSync(slot)!).Bind(this, 1UL << slot, SyncType.Fields[slot].Spec);
        }
    }

    /// <summary>Raised at a client after a snapshot or a patch has set fields of this object. The whole state is up to date then.</summary>
    public event Action<SyncObject, SyncChange>? Changed;

    internal Action<SyncObject, SyncChange>? ChangedHandler => Changed;

    internal SyncType SyncType => DescribeSync();

    /// <summary>The object that has this one in a field, a list or a map.</summary>
    internal SyncObject? Parent { get; private set; }

    /// <summary>The slot of the parent in which it is, as a bit.</summary>
    internal ulong ParentSlot { get; private set; }

    /// <summary>Its key, if it is in a map.</summary>
    internal object? Key { get; private set; }

    /// <summary>What follows the state; <see langword="null"/> while it is in none, and at a client.</summary>
    internal StateTracker? Tracker { get; set; }

    /// <summary>While it has a tracker: its number in the state.</summary>
    internal int Number { get; set; }

    /// <summary>Where it was received: its number on the wire; -1 for none.</summary>
    internal int WireNumber { get; set; } = -1;

    /// <summary>How deep it lies in the state: 1 for the root.</summary>
    internal int Depth { get; set; }

    /// <summary>The revision with which clients learn of it.</summary>
    internal uint CreatedAt { get; set; }

    /// <summary>Between the beginning and the end of a revision: the slots that it changes.</summary>
    internal ulong Change { get; private set; }

    internal bool IsInViewedMap => Parent is not null && (Parent.SyncType.ViewedMaps & ParentSlot) != 0;

    internal bool IsInViewedField => Parent is not null && (Parent.SyncType.ViewedFields & ParentSlot) != 0;

    /// <summary>Shows a text, a collection or an object, and then all that is inside it.</summary>
    internal static void Visit(object? value, Action<object> see)
    {
        if (value is not null)
        {
            see(value);
            (value as SyncCollection)?.VisitItems(see);
            (value as SyncObject)?.VisitFields(see, ~0UL);
        }
    }

    internal void VisitFields(Action<object> see, ulong slots)
    {
        for (ulong left = slots & SyncType.References; left != 0; left &= left - 1)
        {
            Visit(GetSync(BitOperations.TrailingZeroCount(left)), see);
        }
    }

    internal ulong FindSet() => FindSetSync();

    internal void WriteFields(StateWriter writer, ulong slots, StateForm form) => WriteSync(writer, slots, form);

    internal void SetField(int slot, in SyncValue value) => SetSync(slot, in value);

    internal object? GetField(int slot) => GetSync(slot);

    internal void EnterPlace(SyncObject parent, ulong slot, object? key = null)
    {
        for (SyncObject? above = parent; above is not null; above = above.Parent)
        {
            if (above == this || Parent is not null || Tracker is not null)
            {
                throw new InvalidOperationException(
                    $"This {SyncType.Name} has a place in a state already. Remove it there first, or make another one.");
            }
        }

        (Parent, ParentSlot, Key) = (parent, slot, key);
        try
        {
            parent.Tracker?.Attach(this);
        }
        catch
        {
            Parent = null; // a limit
            throw;
        }
    }

    internal void LeavePlace()
    {
        Tracker?.Detach(this);
        (Parent, ParentSlot, Key) = (null, 0, null);
    }

    /// <summary>The object is new to all clients, which get it as a whole.</summary>
    internal void BeginLife(uint revision)
    {
        SettleSync(SyncType.Slots);
        (_changed, Change, _epochChange, _formerChange) = (0, 0, 0, 0);
        (CreatedAt, _changedAt) = (revision, revision);
    }

    /// <summary>Takes what was set since the last patch.</summary>
    /// <returns>The slots of which clients see a change.</returns>
    internal ulong TakeChange(uint revision)
    {
        Change = SettleSync(_changed);
        _changed = 0;
        if (Change != 0)
        {
            uint epochs = (revision / RevisionsPerEpoch) - (_changedAt / RevisionsPerEpoch);
            if (epochs > 0)
            {
                (_formerChange, _epochChange) = (epochs == 1 ? _epochChange : 0, 0);
            }

            _epochChange |= Change;
            _changedAt = revision;
        }

        return Change;
    }

    /// <summary>Returns slots among which are all that were changed since a revision of the present or the former epoch.</summary>
    internal ulong ChangeSince(uint revision) =>
        _changedAt <= revision ? 0
        : revision / RevisionsPerEpoch == _changedAt / RevisionsPerEpoch ? _epochChange
        : _epochChange | _formerChange;

#pragma warning disable CS1591 // the members below are for generated code; a bit stands for each slot

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract SyncType DescribeSync();

    /// <summary>Computes the steps of quantized fields, and leaves out those of which clients would see no change.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract ulong SettleSync(ulong slots);

    /// <summary>Returns the slots that are not at their default.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract ulong FindSetSync();

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract void WriteSync(StateWriter writer, ulong slots, StateForm form);

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract void SetSync(int slot, in SyncValue value);

    /// <summary>Returns a text, an object, a list or a map.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract object? GetSync(int slot);

    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected internal void NoteSync(ulong slots)
    {
        ulong before = _changed;
        _changed = before | slots;
        if (before == 0)
        {
            Tracker?.NoteChanged(Number);
        }
    }

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected void CheckSync(string? text) => Tracker?.Check(text);

    /// <summary>Puts an object into the place of another one.</summary>
    /// <exception cref="InvalidOperationException">The object has a place already, or the state would exceed a limit.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected void ReplaceSync(SyncObject? former, SyncObject? value, ulong slot)
    {
        value?.EnterPlace(this, slot);
        former?.LeavePlace();
        NoteSync(slot);
    }
}
