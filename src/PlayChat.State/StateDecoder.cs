using System.Numerics;

namespace PlayChat.State;

/// <summary>Applies snapshots and patches to the objects of a root: proto/STATE.md.</summary>
/// <remarks>
/// Invariant: <c>_objects[n]</c> is the object that has the number n at the server, with its class there. What a message contains never
/// makes
/// it throw, and memory is bounded by the limits.
/// </remarks>
internal sealed class StateDecoder
{
    private const int BytesPerAudit = 1024 * 1024;

    private readonly SyncObject _root;
    private readonly StateLimits _limits;
    private readonly SyncVisitor _forget;
    private readonly SyncVisitor _audit;
    private ReceivedEdits _edits = new();
    private WireObject?[] _objects = new WireObject?[16];
    private WireType[]? _schema; // while there is a state
    private int _bytesSinceAudit;
    private int _createdSinceAudit;
    private (long Objects, long Items, long Characters) _audited;

    internal StateDecoder(SyncObject root, StateLimits limits)
    {
        _root = root;
        _limits = limits;
        _forget = new SyncVisitor(Forget);
        _audit = new SyncVisitor(
            _ => _audited.Objects++, collection => _audited.Items += collection.Count, text => _audited.Characters += text.Length);
    }

    internal uint Revision { get; private set; }

    internal bool HasState => _schema is not null;

    internal StateApplyResult Apply(ReadOnlySpan<byte> message)
    {
        var reader = new StateReader(message);
        StateApplyResult result = message.Length > _limits.MaxMessageBytes ? StateApplyResult.Malformed : reader.ReadByte() switch
        {
            StateEncoder.Snapshot => ApplySnapshot(ref reader),
            StateEncoder.Patch => ApplyPatch(ref reader),
            _ => StateApplyResult.Malformed,
        };
        _edits.Dropped.ForEach(_forget.Visit);
        _edits.Dropped.Clear();
        if (result == StateApplyResult.Malformed || (result == StateApplyResult.Applied && !IsWithinLimits(message.Length)))
        {
            _schema = null;
            _edits.Events.Clear();
            return StateApplyResult.Malformed;
        }

        return result;
    }

    /// <summary>Calls the handlers, after a message was applied.</summary>
    internal void RaiseEvents()
    {
        if (_edits.Events.Count > 0)
        {
            List<Action> events = _edits.Events;
            _edits = new ReceivedEdits(); // a handler may apply another message
            events.ForEach(static raise => raise());
        }
    }

    private StateApplyResult ApplySnapshot(ref StateReader reader)
    {
        ulong revision = reader.ReadUnsigned();
        _schema = StateSchema.Read(ref reader);
        if (!reader.HasFailed)
        {
            _objects[0] = new WireObject(_root, _schema[0].Bind(_root.SyncType));
            ReadFull(ref reader, _objects[0]!, depth: 1);
        }

        return End(ref reader, revision);
    }

    private StateApplyResult ApplyPatch(ref StateReader reader)
    {
        ulong revision = reader.ReadUnsigned();
        ulong distance = reader.ReadUnsigned();
        int relative = reader.ReadCount();
        if (reader.HasFailed || distance == 0 || distance > revision)
        {
            return StateApplyResult.Malformed;
        }

        ulong from = revision - distance;
        if (_schema is null || revision <= Revision || from > Revision || (from < Revision && relative > 0))
        {
            return StateApplyResult.Ignored;
        }

        ReadBlock(ref reader, relative, StateForm.Relative);
        ReadBlock(ref reader, reader.ReadCount(), StateForm.Absolute);
        return End(ref reader, revision);
    }

    private StateApplyResult End(ref StateReader reader, ulong revision)
    {
        if (reader.HasFailed || !reader.IsAtEnd || revision > uint.MaxValue)
        {
            return StateApplyResult.Malformed;
        }

        Revision = (uint)revision;
        return StateApplyResult.Applied;
    }

    private void ReadBlock(ref StateReader reader, int count, StateForm form)
    {
        int number = -1;
        for (int i = 0; i < count && !reader.HasFailed; i++)
        {
            number += reader.ReadBelow(_limits.MaxObjects) + 1;
            if (number >= _objects.Length || _objects[number] is not { } target)
            {
                reader.Fail();
                return;
            }

            ulong changed = 0;
            for (ulong left = ReadMask(ref reader, target); left != 0 && !reader.HasFailed; left &= left - 1)
            {
                changed |= ReadField(ref reader, target, BitOperations.TrailingZeroCount(left), form, depth: 1);
            }

            NoteChanged(target, changed);
        }
    }

    private void ReadFull(ref StateReader reader, WireObject target, int depth)
    {
        if (depth > _limits.MaxDepth)
        {
            reader.Fail();
        }

        ulong mask = ReadMask(ref reader, target);
        ulong changed = 0;
        for (int f = 0; f < target.Binding.Slots.Length && !reader.HasFailed; f++)
        {
            changed |= (mask & (1UL << f)) != 0 ? ReadField(ref reader, target, f, StateForm.Full, depth) : ResetField(target, f);
        }

        NoteChanged(target, changed);
    }

    private static ulong ReadMask(ref StateReader reader, WireObject target)
    {
        ulong mask = reader.ReadUnsigned();
        if (mask >> target.Binding.Slots.Length == 0)
        {
            return mask;
        }

        reader.Fail();
        return 0;
    }

    /// <summary>Reads the value of a field.</summary>
    /// <returns>The slot here, as a bit; 0 if the value was dropped.</returns>
    private ulong ReadField(ref StateReader reader, WireObject target, int field, StateForm form, int depth)
    {
        SyncSpec spec = target.Binding.Wire.Fields[field].Spec;
        int slot = target.SlotOf(field);
        switch (spec.Kind)
        {
            case SyncKind.Object:
                ReadObject(ref reader, target, field, depth);
                break;
            case SyncKind.List:
                ReadList(ref reader, target, field, form, depth);
                break;
            case SyncKind.Map:
                ReadMap(ref reader, target, field, form, depth);
                break;
            default:
                SyncValue value = spec.IsQuantized && target.Steps is { } steps
                    ? SyncValue.Of(spec.NumberOf(steps[field] = form == StateForm.Relative
                        ? steps[field] + reader.ReadSigned()
                        : reader.ReadSteps(spec)))
                    : spec.IsQuantized && form == StateForm.Relative ? SyncValue.Of(reader.ReadSigned())
                    : reader.ReadValue(spec, _limits.MaxTextBytes);
                if (slot >= 0 && !reader.HasFailed)
                {
                    target.Value!.SetField(slot, in value);
                }

                break;
        }

        return slot >= 0 ? 1UL << slot : 0;
    }

    /// <summary>Gives a field its default, because it is not in a full object.</summary>
    private ulong ResetField(WireObject target, int field)
    {
        int slot = target.SlotOf(field);
        if (slot < 0)
        {
            return 0;
        }

        SyncSpec spec = target.Binding.Wire.Fields[field].Spec;
        object? former = target.Value!.GetField(slot);
        if (spec.Kind == SyncKind.List)
        {
            var list = (SyncCollection)former!;
            list.Splice(0, list.Count, [], _edits);
            return 1UL << slot;
        }

        if (spec.Kind == SyncKind.Map)
        {
            ((SyncCollection)former!).KeepOnly([], _edits);
            return 1UL << slot;
        }

        if (former is SyncObject left)
        {
            _edits.Dropped.Add(left);
        }

        if (target.Steps is { } steps)
        {
            steps[field] = 0;
        }

        target.Value.SetField(slot, spec.IsQuantized ? SyncValue.Of(spec.NumberOf(0)) : SyncValue.Of((object?)null));
        return 1UL << slot;
    }

    private void ReadObject(ref StateReader reader, WireObject target, int field, int depth)
    {
        int slot = target.SlotOf(field);
        SyncObject? former = slot < 0 ? null : (SyncObject?)target.Value!.GetField(slot);
        int number = reader.ReadBelow(_limits.MaxObjects);
        SyncObject? value = number == 0 ? null
            : ReadNested(ref reader, number, target, field, former, slot < 0 ? null : () => target.Value!.NewObject(slot), depth);
        if (slot >= 0 && !reader.HasFailed && value != former)
        {
            if (former is not null)
            {
                _edits.Dropped.Add(former);
            }

            target.Value!.SetField(slot, SyncValue.Of((object?)value));
        }
    }

    private void ReadList(ref StateReader reader, WireObject target, int field, StateForm form, int depth)
    {
        SyncSpec item = target.Binding.Wire.Fields[field].Spec.Item!;
        SyncCollection? list = target.CollectionOf(field);
        ulong head = form == StateForm.Full ? 1 : reader.ReadUnsigned();
        bool isWhole = head == 1;
        ulong start = head >> 1;
        ulong removed = isWhole ? (ulong)(list?.Count ?? 0) : reader.ReadUnsigned();
        int count = reader.ReadCount();
        if ((!isWhole && (head & 1) != 0) || (list is not null && (start > (ulong)list.Count || removed > (ulong)list.Count - start)))
        {
            reader.Fail();
        }

        if (reader.HasFailed)
        {
            return;
        }

        var items = new List<SyncValue>();
        Dictionary<int, SyncObject>? former = null; // the objects in the list, by their numbers
        if (list is not null && item.Kind == SyncKind.Object)
        {
            former = [];
            for (int i = (int)start; i < (int)(start + removed); i++)
            {
                former[list.ObjectAt(i)!.WireNumber] = list.ObjectAt(i)!;
            }
        }

        for (int i = 0; i < count && !reader.HasFailed; i++)
        {
            if (item.Kind != SyncKind.Object)
            {
                items.Add(reader.ReadValue(item, _limits.MaxTextBytes));
                continue;
            }

            ulong number = reader.ReadUnsigned();
            bool isFull = form == StateForm.Full || (number & 1) != 0;
            number = form == StateForm.Full ? number : number >> 1;
            SyncObject? there = null;
            if (number == 0 || number >= (ulong)_limits.MaxObjects
                || (former is not null && !former.Remove((int)number, out there) && !isFull))
            {
                reader.Fail();
                return;
            }

            items.Add(SyncValue.Of((object?)(isFull
                ? ReadNested(ref reader, (int)number, target, field, there, list is null ? null : list.NewItem, depth)
                : there)));
        }

        if (!reader.HasFailed)
        {
            list?.Splice((int)start, (int)removed, items, _edits);
        }
    }

    private void ReadMap(ref StateReader reader, WireObject target, int field, StateForm form, int depth)
    {
        SyncSpec spec = target.Binding.Wire.Fields[field].Spec;
        SyncCollection? map = target.CollectionOf(field);
        int removed = form == StateForm.Full ? 0 : reader.ReadCount();
        for (int i = 0; i < removed && !reader.HasFailed; i++)
        {
            SyncValue key = reader.ReadValue(spec.Key!, _limits.MaxTextBytes);
            map?.Remove(in key, _edits);
        }

        List<SyncValue>? keys = form == StateForm.Full ? [] : null;
        int count = reader.ReadCount();
        for (int i = 0; i < count && !reader.HasFailed; i++)
        {
            SyncValue key = reader.ReadValue(spec.Key!, _limits.MaxTextBytes);
            SyncValue value;
            if (spec.Item!.Kind == SyncKind.Object)
            {
                int number = reader.ReadBelow(_limits.MaxObjects);
                if (number == 0)
                {
                    reader.Fail();
                }

                value = SyncValue.Of((object?)ReadNested(
                    ref reader, number, target, field, map?.Find(in key), map is null ? null : map.NewItem, depth));
            }
            else
            {
                value = reader.ReadValue(spec.Item, _limits.MaxTextBytes);
            }

            if (!reader.HasFailed)
            {
                keys?.Add(key);
                map?.Set(in key, in value, _edits);
            }
        }

        if (keys is not null && !reader.HasFailed)
        {
            map?.KeepOnly(keys, _edits);
        }
    }

    /// <summary>Reads a full object into the one that has its place, if that is the same, or into a new one.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="number">Its number.</param>
    /// <param name="parent">The object in which it is.</param>
    /// <param name="field">The field in which it is.</param>
    /// <param name="former">The object that has its place.</param>
    /// <param name="create">Makes a new one; <see langword="null"/> for an object that is dropped.</param>
    /// <param name="depth">How deep the parent lies.</param>
    private SyncObject? ReadNested(
        ref StateReader reader, int number, WireObject parent, int field, SyncObject? former, Func<SyncObject>? create, int depth)
    {
        if (reader.HasFailed)
        {
            return null;
        }

        if (number >= _objects.Length)
        {
            Array.Resize(ref _objects, Math.Min(_limits.MaxObjects, Math.Max(number + 1, 2 * _objects.Length)));
        }

        SyncSpec spec = parent.Binding.Wire.Fields[field].Spec;
        WireBinding binding = _schema![(spec.Item ?? spec).TypeIndex].Bind(create is null ? null : parent.Binding.LocalTypeOf(field));
        WireObject? known = _objects[number];
        if (former is null || known?.Value != former || known.Binding != binding)
        {
            if (former is null || known?.Value != former)
            {
                former = create?.Invoke();
                _createdSinceAudit++;
            }

            _objects[number] = known = new WireObject(former, binding);
        }

        if (former is not null)
        {
            former.WireNumber = number;
        }

        ReadFull(ref reader, known, depth + 1);
        return former;
    }

    private void NoteChanged(WireObject target, ulong slots)
    {
        if (slots != 0 && target.Value is { HasHandler: true } value)
        {
            Raise(value, slots);
        }
    }

    // Apart from its caller, which would make the closure for each object, with a handler or without.
    private void Raise(SyncObject value, ulong slots) => _edits.Events.Add(() => value.RaiseChanged(slots));

    /// <summary>Counts now and then what there is: each message is small, but many of them may add up.</summary>
    private bool IsWithinLimits(int bytes)
    {
        _bytesSinceAudit += bytes;
        if (_bytesSinceAudit < BytesPerAudit && _createdSinceAudit <= _limits.MaxObjects)
        {
            return true;
        }

        (_bytesSinceAudit, _createdSinceAudit, _audited) = (0, 0, default);
        _audit.Visit(_root);
        return _audited.Objects <= _limits.MaxObjects && _audited.Items <= _limits.MaxItems && _audited.Characters <= _limits.MaxTotalText;
    }

    private void Forget(SyncObject value)
    {
        if ((uint)value.WireNumber < (uint)_objects.Length && _objects[value.WireNumber]?.Value == value)
        {
            _objects[value.WireNumber] = null;
        }
    }

    /// <summary>An object as the server knows it.</summary>
    private sealed class WireObject(SyncObject? value, WireBinding binding)
    {
        /// <summary>The object here; <see langword="null"/> if it is dropped.</summary>
        internal SyncObject? Value => value;

        internal WireBinding Binding => binding;

        /// <summary>The steps of quantized fields, by the server's slots.</summary>
        internal long[]? Steps { get; } = value is not null && binding.HasQuantized ? new long[binding.Slots.Length] : null;

        internal int SlotOf(int field) => value is null ? -1 : binding.Slots[field];

        internal SyncCollection? CollectionOf(int field) =>
            SlotOf(field) is >= 0 and var slot ? (SyncCollection?)value!.GetField(slot) : null;
    }
}
