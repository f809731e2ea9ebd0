using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PlayChat.State;

/// <summary>The base of every class with <see cref="SyncStateAttribute"/>; the generator adds it.</summary>
/// <remarks>
/// An object stands in one place of one state: a field, a list or a map. On a server use it only in the room's turn; on a client, from one
/// thread at a time.
/// </remarks>
public abstract class SyncObject
{
    private ulong _changed; // slots that were set since the last patch
    private uint _epoch; // of _epochChange
    private ulong _epochChange; // the slots that were changed in that epoch,
    private ulong _formerChange; // and in the one before

    /// <summary>Makes an object that is in no state.</summary>
    protected SyncObject() => BindSync();

    /// <summary>Raised at a client after a snapshot or a patch has set fields of this object. The whole state is up to date then.</summary>
    public event Action<SyncObject, SyncChange>? Changed;

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

    /// <summary>How deep it lies in the state: 1 for the root.</summary>
    internal int Depth { get; set; }

    /// <summary>The revision with which clients learn of it.</summary>
    internal uint CreatedAt { get; set; }

    /// <summary>The revision that has changed it last.</summary>
    internal uint ChangedAt { get; private set; }

    /// <summary>Between the beginning and the end of a revision: the slots that it changes.</summary>
    internal ulong Change { get; private set; }

    /// <summary>At a client: its number on the wire.</summary>
    internal int WireNumber { get; set; } = -1;

    internal bool HasHandler => Changed is not null;

    internal bool IsInViewedMap => Parent is not null && (Parent.SyncType.ViewedMaps & ParentSlot) != 0;

    internal bool IsInViewedField => Parent is not null && (Parent.SyncType.ViewedFields & ParentSlot) != 0;

    internal ulong FindSet() => FindSetSync();

    internal void WriteFields(StateWriter writer, ulong slots, StateForm form) => WriteSync(writer, slots, form);

    internal void Visit(SyncVisitor visitor) => VisitSync(visitor);

    internal void SetField(int slot, in SyncValue value) => SetSync(slot, in value);

    internal object? GetField(int slot) => GetSync(slot);

    internal SyncObject NewObject(int slot) => NewSync(slot);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void NoteChange(ulong slots)
    {
        ulong before = _changed;
        _changed = before | slots;
        if (before == 0)
        {
            Tracker?.NoteChanged(Number);
        }
    }

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
        (CreatedAt, ChangedAt) = (revision, revision);
    }

    /// <summary>Takes what was set since the last patch.</summary>
    /// <returns>The slots of which clients see a change.</returns>
    internal ulong TakeChange(uint revision, uint epoch)
    {
        Change = SettleSync(_changed);
        _changed = 0;
        if (Change != 0)
        {
            if (_epoch != epoch)
            {
                _formerChange = _epoch + 1 == epoch ? _epochChange : 0;
                _epochChange = 0;
                _epoch = epoch;
            }

            _epochChange |= Change;
            ChangedAt = revision;
        }

        return Change;
    }

    /// <summary>Returns slots among which are all that were changed since a revision of the present or the former epoch.</summary>
    internal ulong ChangeSince(uint revision, uint epoch, bool isOfEpoch) =>
        ChangedAt <= revision ? 0
        : _epoch == epoch && !isOfEpoch ? _epochChange | _formerChange
        : _epochChange;

    /// <summary>Forgets what has changed in lists and maps.</summary>
    internal void EndChange(ulong slots, uint revision)
    {
        for (ulong left = slots & SyncType.Collections; left != 0; left &= left - 1)
        {
            ((SyncCollection)GetField(BitOperations.TrailingZeroCount(left))!).EndChange(revision);
        }
    }

    internal void RaiseChanged(ulong slots) => Changed?.Invoke(this, new SyncChange(SyncType, slots));

#pragma warning disable CS1591 // the members below are for generated code alone; a bit stands for each slot

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract SyncType DescribeSync();

    /// <summary>Connects lists and maps with this object.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual void BindSync()
    {
    }

    /// <summary>Computes the steps of quantized fields, and leaves out those of which clients would see no change.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual ulong SettleSync(ulong slots) => slots;

    /// <summary>Returns the slots that are not at their default.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract ulong FindSetSync();

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract void WriteSync(StateWriter writer, ulong slots, StateForm form);

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual void VisitSync(SyncVisitor visitor)
    {
    }

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual void SetSync(int slot, in SyncValue value)
    {
    }

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual object? GetSync(int slot) => null;

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected virtual SyncObject NewSync(int slot) => throw new InvalidOperationException("The field holds no object.");

    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void NoteSync(ulong slots) => NoteChange(slots);

    [EditorBrowsable(EditorBrowsableState.Never)]
    protected void CheckSync(string? text) => Tracker?.Check(text);

    /// <summary>Puts an object into the place of another one.</summary>
    /// <exception cref="InvalidOperationException">The object has a place already, or the state would exceed a limit.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected void ReplaceSync(SyncObject? former, SyncObject? value, ulong slot)
    {
        value?.EnterPlace(this, slot);
        former?.LeavePlace();
        NoteChange(slot);
    }

#pragma warning restore CS1591
}
