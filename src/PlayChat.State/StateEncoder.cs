using System.Numerics;

namespace PlayChat.State;

/// <summary>Writes the messages of one state: proto/STATE.md.</summary>
/// <remarks>
/// Call it between <see cref="StateTracker.Begin"/> and <see cref="StateTracker.End"/>, for snapshots also later while nothing changes.
/// What
/// it returns is valid until it writes the next message of the same kind. Only the room's turn uses it.
/// </remarks>
internal sealed class StateEncoder(StateTracker tracker, StateLimits limits)
{
    internal const byte Snapshot = 1;
    internal const byte Patch = 2;

    // A patch's kind, revision, distance and counts, which are known last.
    private const int HeaderRoom = 20;

    private static readonly Comparison<ViewOp> s_byOwner = static (one, other) => one.Owner.Number.CompareTo(other.Owner.Number);

    private readonly StateWriter _patch = new();
    private readonly StateWriter _whole = new(); // snapshots, and patches over several revisions
    private readonly StateWriter _bodies = new() { FiltersViews = true }; // what several members get of an object
    private readonly List<ViewOp> _ops = [];
    private NumberSet _entering = new();
    private byte[]? _schema;
    private byte[]? _exactSchema;
    private Body[] _bodyOf = []; // two for each number: without and with viewed fields
    private uint _bodiesOf; // the revision of _bodies

    private enum OpKind
    {
        /// <summary>A key of a viewed map is removed.</summary>
        Leave,

        /// <summary>An object of a viewed map is set.</summary>
        Enter,

        /// <summary>The viewed fields of an object get their values.</summary>
        Show,

        /// <summary>The viewed fields of an object get their defaults.</summary>
        Hide,
    }

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

        StateWriter writer = Begin(_whole, revision);
        int last = -1;
        int count = 0;
        for (int number = 0; number < tracker.Bound; number++)
        {
            if (tracker.Objects[number] is { } value && value.CreatedAt <= revision
                && tracker.ChangeSince(value, revision) is not 0 and var change)
            {
                WriteEntry(writer, ref last, number, change);
                value.WriteFields(writer, change, StateForm.Absolute);
                count++;
            }
        }

        return Finish(writer, revision, 0, count);
    }

    /// <summary>Writes the whole state.</summary>
    /// <param name="view">What the member sees; <see langword="null"/> in a state without views.</param>
    internal ReadOnlySpan<byte> WriteSnapshot(StateView? view = null)
    {
        view?.BeginSnapshot();
        (_whole.View, _whole.FiltersViews) = (view, view is not null);
        ReadOnlySpan<byte> message = WriteWhole(_schema ??= StateSchema.Write(tracker.Root.SyncType, isExact: false));
        (_whole.View, _whole.FiltersViews) = (null, false);
        return Checked(message);
    }

    /// <summary>Writes the whole state with all digits, for a server that continues it.</summary>
    internal ReadOnlySpan<byte> WriteExact()
    {
        _whole.IsExact = true;
        ReadOnlySpan<byte> message = WriteWhole(_exactSchema ??= StateSchema.Write(tracker.Root.SyncType, isExact: true));
        _whole.IsExact = false;
        return message;
    }

    /// <summary>Writes what has changed for one member since the revision that it has.</summary>
    /// <returns>Nothing if it sees no change.</returns>
    internal ReadOnlySpan<byte> WriteView(StateView view, uint revision)
    {
        StateWriter writer = Begin(_patch, 0); // lists that are shown are written as a whole
        _ops.Clear();
        FindLeaving(view);
        int count = WriteChanged(writer, view);
        foreach (SyncObject created in tracker.Created)
        {
            if (created is { Tracker: not null, IsInViewedMap: false, Parent: { } parent } && view.Knows(parent)
                && (!created.IsInViewedField || view.KnowsFields(parent.Number)))
            {
                view.AddKnown(created); // it was in what the member got of its parent
            }
        }

        if (view.Touched.Count > 0)
        {
            FindEntering(view);
            view.Touched.Clear();
        }

        for (int i = _ops.Count - 1; i >= 0; i--)
        {
            if (_ops[i].Owner.Tracker != tracker || !view.Knows(_ops[i].Owner))
            {
                _ops.RemoveAt(i); // the member loses it with what is above
            }
        }

        if (_ops.Count == 0)
        {
            writer.WriteByte(0); // no absolute block
            return count == 0 ? default : Finish(writer, revision, count);
        }

        (writer.View, writer.FiltersViews) = (view, true);
        WriteOps(writer);
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

    private ReadOnlySpan<byte> WriteWhole(byte[] schema)
    {
        StateWriter writer = Begin(_whole, 0);
        writer.Reset();
        writer.WriteByte(Snapshot);
        writer.WriteUnsigned(tracker.Revision);
        writer.WriteBytes(schema);
        writer.WriteFull(tracker.Root);
        return writer.Written;
    }

    /// <summary>Writes the header in front of a patch.</summary>
    private ReadOnlySpan<byte> Finish(StateWriter writer, uint revision, int relative, int absolute = -1)
    {
        Span<byte> header = stackalloc byte[HeaderRoom];
        header[0] = Patch;
        int bytes = 1;
        Append(header, ref bytes, tracker.Revision);
        Append(header, ref bytes, tracker.Revision - revision);
        Append(header, ref bytes, (uint)relative);
        if (absolute >= 0)
        {
            Append(header, ref bytes, (uint)absolute); // behind a relative block that is empty
        }

        return Checked(writer.Prepend(header[..bytes], HeaderRoom));

        static void Append(Span<byte> header, ref int bytes, uint value)
        {
            for (; value >= 0x80; value >>= 7)
            {
                header[bytes++] = (byte)(value | 0x80);
            }

            header[bytes++] = (byte)value;
        }
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
        foreach (StateTracker.LeftItem left in tracker.Left)
        {
            if (view.Knows(left.Number))
            {
                _ops.Add(new ViewOp(OpKind.Leave, left.Owner, left.Slot, left.Key, null));
            }
        }

        foreach (SyncObject value in view.Touched)
        {
            if (value.Tracker != tracker || view.IsShown(value))
            {
                continue;
            }

            if (value.IsInViewedMap && view.Knows(value))
            {
                _ops.Add(new ViewOp(OpKind.Leave, value.Parent!, value.ParentSlot, value.Key, null));
                view.Lose(value);
            }
            else if (view.KnowsFields(value.Number))
            {
                _ops.Add(new ViewOp(OpKind.Hide, value, value.SyncType.ViewedFields, null, null));
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
            if (value.Tracker != tracker || !view.IsShown(value))
            {
                continue;
            }

            if (value.IsInViewedMap && !view.Knows(value))
            {
                if (view.Knows(value.Parent!) && !_entering.Has(value.Parent!.Number))
                {
                    _ops.Add(new ViewOp(OpKind.Enter, value.Parent, value.ParentSlot, value.Key, value));
                    _entering.Add(value.Number);
                    view.OnWritten(value);
                }
            }
            else if (value.SyncType.ViewedFields != 0 && view.Knows(value) && !view.KnowsFields(value.Number))
            {
                _ops.Add(new ViewOp(OpKind.Show, value, value.SyncType.ViewedFields, null, null));
                view.OnWritten(value);
            }
        }
    }

    /// <summary>Writes the absolute block of one member.</summary>
    private void WriteOps(StateWriter writer)
    {
        _ops.Sort(s_byOwner);
        int owners = 1;
        for (int i = 1; i < _ops.Count; i++)
        {
            owners += _ops[i].Owner != _ops[i - 1].Owner ? 1 : 0;
        }

        writer.WriteUnsigned((uint)owners);
        int last = -1;
        for (int from = 0, to; from < _ops.Count; from = to)
        {
            SyncObject owner = _ops[from].Owner;
            ulong slots = 0;
            for (to = from; to < _ops.Count && _ops[to].Owner == owner; to++)
            {
                slots |= _ops[to].Slots;
            }

            WriteEntry(writer, ref last, owner.Number, slots);
            for (; slots != 0; slots &= slots - 1)
            {
                int slot = BitOperations.TrailingZeroCount(slots);
                if ((owner.SyncType.ViewedMaps & (1UL << slot)) != 0)
                {
                    WriteMapOps(writer, (SyncCollection)owner.GetField(slot)!, OpKind.Leave, 1UL << slot, from, to);
                    WriteMapOps(writer, (SyncCollection)owner.GetField(slot)!, OpKind.Enter, 1UL << slot, from, to);
                }
                else if (_ops.FindIndex(from, to - from, static op => op.Kind == OpKind.Show) >= 0)
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

    private static void WriteDefault(StateWriter writer, SyncKind kind)
    {
        ReadOnlySpan<byte> zeros = [0, 0, 0, 0, 0, 0, 0, 0];
        ReadOnlySpan<byte> noItems = [1, 0];
        writer.WriteBytes(kind switch
        {
            SyncKind.Float => zeros[..sizeof(float)],
            SyncKind.Double => zeros,
            SyncKind.List => noItems,
            _ => zeros[..1],
        });
    }

    private void WriteMapOps(StateWriter writer, SyncCollection map, OpKind kind, ulong slot, int from, int to)
    {
        int count = 0;
        for (int i = from; i < to; i++)
        {
            count += _ops[i].Kind == kind && _ops[i].Slots == slot ? 1 : 0;
        }

        writer.WriteUnsigned((uint)count);
        for (int i = from; i < to; i++)
        {
            if (_ops[i].Kind == kind && _ops[i].Slots == slot)
            {
                map.WriteKey(writer, _ops[i].Key!);
                if (kind == OpKind.Enter)
                {
                    writer.WriteObject(_ops[i].Item);
                }
            }
        }
    }

    /// <summary>Where in the bodies an object of a revision is.</summary>
    private readonly record struct Body(uint Revision, int Start, int Bytes);

    /// <summary>A change of what a member sees.</summary>
    private readonly record struct ViewOp(OpKind Kind, SyncObject Owner, ulong Slots, object? Key, SyncObject? Item);
}
