namespace PlayChat.State;

/// <summary>Writes the messages of one state: proto/STATE.md.</summary>
/// <remarks>
/// Call it between <see cref="StateTracker.Begin"/> and <see cref="StateTracker.End"/>, for snapshots also later while nothing changes.
/// What it returns is valid until it writes the next message of the same kind. Only the room's turn uses it.
/// </remarks>
internal sealed class StateEncoder(StateTracker tracker, StateLimits limits)
{
    internal const byte Snapshot = 1;
    internal const byte Patch = 2;

    // A patch's kind, revision, distance and counts, which are known last.
    private const int HeaderRoom = 20;
    private const uint NoRevision = uint.MaxValue;

    private static readonly Comparison<StateView.Edit> s_byOwner = static (one, other) => one.Owner.Number.CompareTo(other.Owner.Number);

    private readonly StateWriter _header = new();
    private readonly StateWriter _patch = new();
    private readonly StateWriter _since = new(); // patches over several revisions
    private readonly StateWriter _whole = new();
    private readonly StateWriter _bodies = new() { FiltersViews = true }; // what several members get of an object
    private readonly List<StateView.Edit> _edits = [];
    private NumberSet _entering = new();
    private byte[]? _schema;
    private byte[]? _exactSchema;
    private uint _wholeOf = NoRevision; // the revision of which _whole is a snapshot for all
    private Body[] _bodyOf = []; // two for each number: without and with viewed fields
    private uint _bodiesOf; // the revision of _bodies

    /// <summary>Writes what has changed with this revision, for members that have the one before.</summary>
    internal ReadOnlySpan<byte> WritePatch()
    {
        StateWriter writer = Begin(_patch, tracker.Revision - 1);
        int last = -1;
        int count = 0;
        ReadOnlySpan<ulong> words = tracker.Changed;
        ReadOnlySpan<SyncObject?> objects = tracker.Objects;
        for (int w = 0; w < words.Length; w++)
        {
            for (ulong left = words[w]; left != 0; left &= left - 1)
            {
                int number = (w * 64) + BitOperations.TrailingZeroCount(left);
                SyncObject value = objects[number]!;
                WriteEntry(writer, ref last, number, value.Change);
                value.WriteFields(writer, value.Change, StateForm.Relative);
                count++;
            }
        }

        writer.WriteByte(0); // no absolute block
        return Finish(writer, writer.Base, count);
    }

    /// <summary>Writes what has changed since an earlier revision.</summary>
    /// <returns>Nothing if that is not known any more.</returns>
    internal ReadOnlySpan<byte> WritePatchSince(uint revision)
    {
        if (revision < tracker.OldestBase || revision >= tracker.Revision)
        {
            return default;
        }

        StateWriter writer = Begin(_since, revision);
        int last = -1;
        int count = 0;
        for (int number = 0; number < tracker.Bound; number++)
        {
            if (tracker.Objects[number] is { } value && value.CreatedAt <= revision
                && value.ChangeSince(revision) is not 0 and var change)
            {
                WriteEntry(writer, ref last, number, change);
                value.WriteFields(writer, change, StateForm.Absolute);
                count++;
            }
        }

        return Finish(writer, revision, 0, count);
    }

    /// <summary>Writes the whole state: for all members, once for a revision, or for the member of a view.</summary>
    internal ReadOnlySpan<byte> WriteSnapshot(StateView? view = null)
    {
        if (view is not null || _wholeOf != tracker.Revision)
        {
            view?.BeginSnapshot();
            WriteWhole(_schema ??= StateSchema.Write(tracker.Root.SyncType, isExact: false), view);
            _wholeOf = view is null ? tracker.Revision : NoRevision;
        }

        return Checked(_whole.Written);
    }

    /// <summary>Writes the whole state with all digits, for a server that continues it.</summary>
    internal ReadOnlySpan<byte> WriteExact()
    {
        _wholeOf = NoRevision;
        _whole.IsExact = true;
        WriteWhole(_exactSchema ??= StateSchema.Write(tracker.Root.SyncType, isExact: true), view: null);
        _whole.IsExact = false;
        return _whole.Written;
    }

    /// <summary>Writes what has changed for one member since the revision that it has.</summary>
    /// <returns>Nothing if it sees no change.</returns>
    internal ReadOnlySpan<byte> WriteView(StateView view, uint revision)
    {
        StateWriter writer = Begin(_patch, 0); // lists that are shown are written as a whole
        _edits.Clear();
        FindLeaving(view);
        int count = WriteChanged(writer, view);
        foreach (SyncObject created in tracker.Created)
        {
            if (created is { Tracker: not null, IsInViewedMap: false, Parent: { } parent } && view.Knows(parent.Number)
                && (!created.IsInViewedField || view.KnowsFields(parent.Number)))
            {
                view.AddKnown(created); // it was in what the member got of its parent
            }
        }

        FindEntering(view);
        for (int i = _edits.Count - 1; i >= 0; i--)
        {
            if (_edits[i].Owner.Tracker != tracker || !view.Knows(_edits[i].Owner.Number))
            {
                _edits.RemoveAt(i); // the member loses it with what is above
            }
        }

        if (_edits.Count == 0)
        {
            writer.WriteByte(0); // no absolute block
            return count == 0 ? default : Finish(writer, revision, count);
        }

        (writer.View, writer.FiltersViews) = (view, true);
        WriteEdits(writer);
        (writer.View, writer.FiltersViews) = (null, false);
        return Finish(writer, revision, count);
    }

    private static StateWriter Begin(StateWriter writer, uint revision)
    {
        writer.Reset(HeaderRoom);
        writer.Base = revision;
        return writer;
    }

    private static void WriteEntry(StateWriter writer, ref int last, int number, ulong slots)
    {
        writer.WriteUnsigned((uint)(number - last - 1));
        writer.WriteUnsigned(slots);
        last = number;
    }

    private void WriteWhole(byte[] schema, StateView? view)
    {
        _whole.Reset();
        _whole.WriteByte(Snapshot);
        _whole.WriteUnsigned(Math.Max(1, tracker.Revision)); // a server may hand on what it has never sent
        _whole.WriteBytes(schema);
        (_whole.View, _whole.FiltersViews) = (view, view is not null);
        _whole.WriteFull(tracker.Root);
    }

    /// <summary>Writes the header in front of a patch.</summary>
    private ReadOnlySpan<byte> Finish(StateWriter writer, uint revision, int relative, int absolute = -1)
    {
        _header.Reset();
        _header.WriteByte(Patch);
        _header.WriteUnsigned(tracker.Revision);
        _header.WriteUnsigned(tracker.Revision - revision);
        _header.WriteUnsigned((uint)relative);
        if (absolute >= 0)
        {
            _header.WriteUnsigned((uint)absolute); // behind a relative block that is empty
        }

        return Checked(writer.Prepend(_header.Written, HeaderRoom));
    }

    private ReadOnlySpan<byte> Checked(ReadOnlySpan<byte> message) => message.Length <= limits.MaxMessageBytes
        ? message
        : throw new InvalidOperationException(
            $"A message of the state would have {message.Length} bytes, more than {limits.MaxMessageBytes} "
                + $"({nameof(StateLimits)}.{nameof(StateLimits.MaxMessageBytes)}).");

    /// <summary>Writes the changed objects that a member has. What several members get is encoded once.</summary>
    private int WriteChanged(StateWriter writer, StateView view)
    {
        if (_bodiesOf != tracker.Revision)
        {
            _bodiesOf = tracker.Revision;
            _bodies.Reset();
            _bodies.Base = tracker.Revision - 1;
            if (_bodyOf.Length < 2 * tracker.Bound)
            {
                Array.Resize(ref _bodyOf, 2 * tracker.Objects.Length);
            }
        }

        int last = -1;
        int count = 0;
        ReadOnlySpan<ulong> known = view.Known;
        ReadOnlySpan<ulong> words = tracker.Changed;
        int end = Math.Min(known.Length, words.Length);
        for (int w = 0; w < end; w++)
        {
            for (ulong left = words[w] & known[w]; left != 0; left &= left - 1)
            {
                int number = (w * 64) + BitOperations.TrailingZeroCount(left);
                ReadOnlySpan<byte> body = BodyOf(number, view.KnowsFields(number));
                if (!body.IsEmpty)
                {
                    writer.WriteUnsigned((uint)(number - last - 1));
                    writer.WriteBytes(body);
                    last = number;
                    count++;
                }
            }
        }

        return count;
    }

    private ReadOnlySpan<byte> BodyOf(int number, bool hasFields)
    {
        ref Body body = ref _bodyOf[(2 * number) + (hasFields ? 1 : 0)];
        if (body.Revision != _bodiesOf)
        {
            SyncObject value = tracker.Objects[number]!;
            SyncType type = value.SyncType;
            ulong slots = value.Change & ~type.ViewedMaps & (hasFields ? ~0UL : ~type.ViewedFields);
            int start = _bodies.Length;
            if (slots != 0)
            {
                _bodies.WriteUnsigned(slots);
                value.WriteFields(_bodies, slots, StateForm.Relative);
            }

            body = new Body(_bodiesOf, start, _bodies.Length - start);
        }

        return _bodies.Written.Slice(body.Start, body.Bytes);
    }

    /// <summary>Finds what a member must lose. It gets no later change of that.</summary>
    private void FindLeaving(StateView view)
    {
        foreach ((StateView.Edit removal, int number) in tracker.Left)
        {
            if (view.Knows(number))
            {
                _edits.Add(removal);
            }
        }

        foreach (SyncObject value in view.Touched)
        {
            bool isHidden = value.Tracker == tracker && !view.IsShown(value);
            if (isHidden && value.IsInViewedMap && view.Knows(value.Number))
            {
                _edits.Add(new StateView.Edit(value.Parent!, value.ParentSlot, value.Key));
                view.Lose(value);
            }
            else if (isHidden && view.KnowsFields(value.Number))
            {
                _edits.Add(new StateView.Edit(value, value.SyncType.ViewedFields));
                view.LoseFields(value);
            }
        }
    }

    /// <summary>Finds what a member gets, unless it is new to it with its parent and was written there.</summary>
    private void FindEntering(StateView view)
    {
        _entering.Clear();
        foreach (SyncObject value in view.Touched)
        {
            if (!view.IsShown(value))
            {
                continue;
            }

            if (value is { IsInViewedMap: true, Parent: { } parent } && !view.Knows(value.Number)
                && view.Knows(parent.Number) && !_entering.Has(parent.Number))
            {
                _edits.Add(new StateView.Edit(parent, value.ParentSlot, value.Key, value));
                _entering.Add(value.Number);
                view.OnWritten(value);
            }
            else if (value.SyncType.ViewedFields != 0 && view.Knows(value.Number) && !view.KnowsFields(value.Number))
            {
                _edits.Add(new StateView.Edit(value, value.SyncType.ViewedFields));
                view.OnWritten(value);
            }
        }

        view.Touched.Clear();
    }

    /// <summary>Writes the absolute block of one member.</summary>
    private void WriteEdits(StateWriter writer)
    {
        _edits.Sort(s_byOwner);
        int owners = 1;
        for (int i = 1; i < _edits.Count; i++)
        {
            owners += _edits[i].Owner != _edits[i - 1].Owner ? 1 : 0;
        }

        writer.WriteUnsigned((uint)owners);
        int last = -1;
        for (int start = 0, end; start < _edits.Count; start = end)
        {
            SyncObject owner = _edits[start].Owner;
            ulong slots = 0;
            for (end = start; end < _edits.Count && _edits[end].Owner == owner; end++)
            {
                slots |= _edits[end].Slots;
            }

            WriteEntry(writer, ref last, owner.Number, slots);
            for (; slots != 0; slots &= slots - 1)
            {
                int slot = BitOperations.TrailingZeroCount(slots);
                if ((owner.SyncType.ViewedMaps & (1UL << slot)) != 0)
                {
                    var map = (SyncCollection)owner.GetField(slot)!;
                    WriteItems(writer, map, start..end, 1UL << slot, areAdded: false);
                    WriteItems(writer, map, start..end, 1UL << slot, areAdded: true);
                }
                else if (writer.View!.IsShown(owner))
                {
                    owner.WriteFields(writer, 1UL << slot, StateForm.Absolute);
                }
                else
                {
                    WriteDefault(writer, owner.SyncType.Fields[slot].Spec.Kind);
                }
            }
        }
    }

    /// <summary>Writes the keys that leave a map, or the items that enter it.</summary>
    private void WriteItems(StateWriter writer, SyncCollection map, Range edits, ulong slot, bool areAdded)
    {
        int count = 0;
        for (int i = edits.Start.Value; i < edits.End.Value; i++)
        {
            StateView.Edit edit = _edits[i];
            count += edit.Slots == slot && edit.Added is not null == areAdded ? 1 : 0;
        }

        writer.WriteUnsigned((uint)count);
        for (int i = edits.Start.Value; i < edits.End.Value; i++)
        {
            StateView.Edit edit = _edits[i];
            if (edit.Slots == slot && edit.Added is not null == areAdded)
            {
                map.WriteKey(writer, edit.Key!);
                if (areAdded)
                {
                    writer.WriteObject(edit.Added);
                }
            }
        }
    }

    private static void WriteDefault(StateWriter writer, SyncKind kind) => writer.WriteBytes(kind switch
    {
        SyncKind.Float => [0, 0, 0, 0],
        SyncKind.Double => [0, 0, 0, 0, 0, 0, 0, 0],
        SyncKind.List => [1, 0], // no items
        _ => [0],
    });

    /// <summary>Where in the bodies an object of a revision is.</summary>
    private readonly record struct Body(uint Revision, int Start, int Bytes);
}
