namespace PlayChat.State;

/// <summary>Applies snapshots and patches to the objects of a root: proto/STATE.md.</summary>
/// <remarks>
/// Invariant: <c>_objects[n]</c> is the object that has the number n at the server, with its class there. What a message contains never
/// makes it throw, and memory is bounded by the limits. Fields that the classes here lack are read and dropped.
/// </remarks>
internal sealed class StateDecoder(SyncObject root, StateLimits limits)
{
    private const int BytesPerAudit = 1024 * 1024;

    private readonly Dictionary<(SyncType Wire, SyncType? Local), WireBinding> _bindings = []; // of the present schema
    private readonly List<SyncObject> _displaced = []; // objects whose number another one has taken in this message
    private ReceivedEdits _edits = new();
    private WireObject?[] _objects = new WireObject?[16];
    private SyncType[]? _schema; // while there is a state
    private int _bytesSinceAudit;
    private int _createdSinceAudit;
    private (long Objects, long Items, long Characters) _audited;

    internal uint Revision { get; private set; }

    internal bool HasState => _schema is not null;

    internal StateApplyResult Apply(ReadOnlySpan<byte> message)
    {
        var reader = new StateReader(message);
        reader.Require(message.Length <= limits.MaxMessageBytes);
        byte kind = reader.ReadByte();
        ulong revision = reader.ReadUnsigned();
        reader.Require(kind is StateEncoder.Snapshot or StateEncoder.Patch && revision is > 0 and <= uint.MaxValue);
        if (!reader.HasFailed && kind == StateEncoder.Snapshot)
        {
            ReadSnapshot(ref reader);
        }
        else if (!reader.HasFailed && !ReadPatch(ref reader, revision))
        {
            return StateApplyResult.Ignored;
        }

        foreach (SyncObject left in _edits.Dropped)
        {
            SyncObject.Visit(left, Forget);
        }

        reader.Require(_displaced.TrueForAll(static value => value.WireNumber < 0)); // otherwise two objects have one number
        _edits.Dropped.Clear();
        _displaced.Clear();
        if (reader.HasFailed || !reader.IsAtEnd || !IsWithinLimits(message.Length))
        {
            (_schema, Revision) = (null, 0);
            _edits.Events.Clear();
            return StateApplyResult.Malformed;
        }

        Revision = (uint)revision;
        return StateApplyResult.Applied;
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

    private void ReadSnapshot(ref StateReader reader)
    {
        _bindings.Clear();
        _schema = StateSchema.Read(ref reader);
        if (!reader.HasFailed)
        {
            _objects[0] = new WireObject(root, Bind(_schema[0], root.SyncType), depth: 1);
            ReadFields(ref reader, _objects[0]!, StateForm.Full);
        }
    }

    /// <returns>Whether the patch fits the present state.</returns>
    private bool ReadPatch(ref StateReader reader, ulong revision)
    {
        ulong distance = reader.ReadUnsigned();
        int relative = reader.ReadCount();
        reader.Require(distance > 0 && distance <= revision);
        ulong from = revision - distance;
        if (_schema is null || revision <= Revision || from > Revision || (from < Revision && relative > 0))
        {
            return reader.HasFailed; // a malformed patch is not ignored
        }

        ReadBlock(ref reader, relative, StateForm.Relative);
        ReadBlock(ref reader, reader.ReadCount(), StateForm.Absolute);
        return true;
    }

    private void ReadBlock(ref StateReader reader, int count, StateForm form)
    {
        for (int i = 0, number = -1; i < count && !reader.HasFailed; i++)
        {
            number += reader.ReadBelow(limits.MaxObjects) + 1;
            if (number >= _objects.Length || _objects[number] is not { } target)
            {
                reader.Require(false);
                return;
            }

            ReadFields(ref reader, target, form);
        }
    }

    /// <summary>Reads the fields of an object. In a full one, those that are not there get their defaults.</summary>
    private void ReadFields(ref StateReader reader, WireObject target, StateForm form)
    {
        ulong mask = reader.ReadUnsigned();
        ulong changed = 0;
        reader.Require(mask >> target.Fields.Length == 0);
        for (int f = 0; f < target.Fields.Length && !reader.HasFailed; f++)
        {
            if ((mask & (1UL << f)) != 0)
            {
                changed |= ReadField(ref reader, target, f, form);
            }
            else if (form == StateForm.Full)
            {
                StateReader zeros = StateReader.Zeros;
                changed |= ReadField(ref zeros, target, f, form);
            }
        }

        if (changed != 0 && target.Value is { } value)
        {
            _edits.Note(value.ChangedHandler, value, new SyncChange(value.SyncType, changed));
        }
    }

    /// <summary>Reads the value of a field.</summary>
    /// <returns>The slot here, as a bit; 0 if the value was dropped.</returns>
    private ulong ReadField(ref StateReader reader, WireObject target, int field, StateForm form)
    {
        SyncSpec spec = target.Fields[field].Spec;
        int slot = target.Binding.Slots[field];
        object? former = slot >= 0 && spec.Kind >= SyncKind.Object ? target.Value!.GetField(slot) : null;
        SyncValue value;
        switch (spec.Kind)
        {
            case SyncKind.List:
                ReadList(ref reader, target, field, (SyncCollection?)former, form);
                return slot >= 0 ? 1UL << slot : 0;
            case SyncKind.Map:
                ReadMap(ref reader, target, field, (SyncCollection?)former, form);
                return slot >= 0 ? 1UL << slot : 0;
            case SyncKind.Object:
                int number = reader.ReadBelow(limits.MaxObjects);
                SyncObject? child = number == 0 ? null : ReadNested(ref reader, number, target, field, (SyncObject?)former);
                if (child != former && !reader.HasFailed)
                {
                    _edits.Drop((SyncObject?)former);
                }

                value = SyncValue.Of((object?)child);
                break;
            case SyncKind.Fixed or SyncKind.Range when target.Steps is { } steps:
                steps[field] = reader.ReadSteps(spec, steps[field], isChange: form == StateForm.Relative);
                value = SyncValue.Of(spec.NumberOf(steps[field]));
                break;
            case SyncKind.Fixed or SyncKind.Range when form == StateForm.Relative:
                value = SyncValue.Of(reader.ReadSigned()); // of a dropped object
                break;
            default:
                value = reader.ReadValue(spec, limits.MaxTextBytes);
                break;
        }

        if (slot < 0 || reader.HasFailed)
        {
            return 0;
        }

        target.Value!.SetField(slot, in value);
        return 1UL << slot;
    }

    private void ReadList(ref StateReader reader, WireObject target, int field, SyncCollection? list, StateForm form)
    {
        SyncSpec item = target.Fields[field].Spec.Item!;
        int length = list?.Count ?? int.MaxValue - 1;
        int head = form == StateForm.Full ? 1 : reader.ReadBelow(int.MaxValue);
        int start = head >> 1;
        reader.Require(head == 1 || ((head & 1) == 0 && form == StateForm.Relative && start <= length));
        int removed = head == 1 ? length : reader.ReadBelow(length - start + 1);
        int count = reader.ReadCount();
        if (reader.HasFailed || (removed == 0 && count == 0))
        {
            return;
        }

        var former = new Dictionary<int, SyncObject>(); // the objects among those that are removed, by their numbers
        for (int i = start; i < start + removed && list is not null && item.Kind == SyncKind.Object; i++)
        {
            SyncObject removal = list.Find(SyncValue.Of((long)i))!;
            former[removal.WireNumber] = removal;
        }

        var items = new List<SyncValue>();
        for (int i = 0; i < count && !reader.HasFailed; i++)
        {
            if (item.Kind != SyncKind.Object)
            {
                items.Add(reader.ReadValue(item, limits.MaxTextBytes));
                continue;
            }

            // In an entry, the lowest bit says whether a full object follows; if not, the list has it.
            int number = form == StateForm.Full ? (reader.ReadBelow(limits.MaxObjects) * 2) + 1 : reader.ReadBelow(limits.MaxObjects * 2);
            bool isFull = (number & 1) != 0;
            former.Remove(number >> 1, out SyncObject? there);
            reader.Require(number > 1 && (isFull || there is not null || list is null));
            items.Add(SyncValue.Of((object?)(isFull ? ReadNested(ref reader, number >> 1, target, field, there) : there)));
        }

        if (!reader.HasFailed)
        {
            list?.Splice(start, removed, items, _edits);
        }
    }

    private void ReadMap(ref StateReader reader, WireObject target, int field, SyncCollection? map, StateForm form)
    {
        SyncSpec item = target.Fields[field].Spec.Item!;
        SyncSpec keys = target.Fields[field].Spec.Key!;
        for (int removed = form == StateForm.Full ? 0 : reader.ReadCount(); removed > 0 && !reader.HasFailed; removed--)
        {
            SyncValue key = ReadKey(ref reader, keys);
            map?.Remove(in key, _edits);
        }

        for (int count = reader.ReadCount(); count > 0 && !reader.HasFailed; count--)
        {
            SyncValue key = ReadKey(ref reader, keys);
            SyncValue value;
            if (item.Kind == SyncKind.Object)
            {
                int number = reader.ReadBelow(limits.MaxObjects);
                reader.Require(number != 0);
                value = SyncValue.Of((object?)ReadNested(ref reader, number, target, field, map?.Find(in key)));
            }
            else
            {
                value = reader.ReadValue(item, limits.MaxTextBytes);
            }

            reader.Require(reader.HasFailed || map?.Set(in key, in value, _edits) != false);
        }

        map?.EndSetting(isWhole: form == StateForm.Full && !reader.HasFailed, _edits);
    }

    private SyncValue ReadKey(ref StateReader reader, SyncSpec spec)
    {
        SyncValue key = reader.ReadValue(spec, limits.MaxTextBytes);
        reader.Require(spec.Kind != SyncKind.Text || key.Text is not null);
        return key;
    }

    /// <summary>Reads a full object into the one that has its place, if that is the same, or into a new one.</summary>
    private SyncObject? ReadNested(ref StateReader reader, int number, WireObject parent, int field, SyncObject? former)
    {
        reader.Require(parent.Depth < limits.MaxDepth);
        if (reader.HasFailed)
        {
            return null;
        }

        if (number >= _objects.Length)
        {
            Array.Resize(ref _objects, Math.Min(limits.MaxObjects, Math.Max(number + 1, 2 * _objects.Length)));
        }

        SyncSpec spec = parent.Fields[field].Spec;
        SyncSpec? local = parent.Binding.LocalOf(field);
        WireBinding binding = Bind(_schema![(spec.Item ?? spec).TypeIndex], local?.Type);
        WireObject? known = _objects[number];
        if (former is null || known?.Value != former)
        {
            if (known?.Value is { } displaced)
            {
                _displaced.Add(displaced);
            }

            _createdSinceAudit++;
            former = local?.Create!();
            known = null;
        }

        if (known?.Binding != binding)
        {
            _objects[number] = known = new WireObject(former, binding, parent.Depth + 1);
        }

        if (former is not null)
        {
            former.WireNumber = number;
        }

        ReadFields(ref reader, known, StateForm.Full);
        return former;
    }

    private WireBinding Bind(SyncType wire, SyncType? local)
    {
        if (!_bindings.TryGetValue((wire, local), out WireBinding? binding))
        {
            _bindings.Add((wire, local), binding = new WireBinding(wire, local));
        }

        return binding;
    }

    /// <summary>Counts now and then what there is: each message is small, but many of them may add up.</summary>
    private bool IsWithinLimits(int bytes)
    {
        _bytesSinceAudit += bytes;
        if (_bytesSinceAudit < BytesPerAudit && _createdSinceAudit <= limits.MaxObjects)
        {
            return true;
        }

        (_bytesSinceAudit, _createdSinceAudit, _audited) = (0, 0, default);
        SyncObject.Visit(root, Audit);
        return _audited.Objects <= limits.MaxObjects && _audited.Items <= limits.MaxItems && _audited.Characters <= limits.MaxTotalText;
    }

    private void Audit(object value)
    {
        _audited.Objects += value is SyncObject ? 1 : 0;
        _audited.Items += value is SyncCollection collection ? collection.Count : 0;
        _audited.Characters += value is string text ? text.Length : 0;
    }

    private void Forget(object value)
    {
        if (value is SyncObject { WireNumber: >= 0 } left)
        {
            if (_objects[left.WireNumber]?.Value == left)
            {
                _objects[left.WireNumber] = null;
            }

            left.WireNumber = -1;
        }
    }

    /// <summary>A class of the server together with the class here that receives its objects; with none they are dropped.</summary>
    private sealed class WireBinding(SyncType wire, SyncType? local)
    {
        internal SyncField[] Fields => wire.Fields;

        /// <summary>For each field of the server the slot here; -1 for a field that is dropped.</summary>
        internal int[] Slots { get; } = Array.ConvertAll(
            wire.Fields, field => Array.FindIndex(local?.Fields ?? [], mine => mine.Number == field.Number && field.Spec.Fits(mine.Spec)));

        internal bool HasQuantized { get; } = Array.Exists(wire.Fields, static field => field.Spec.IsQuantized);

        /// <summary>What the objects in a field are here.</summary>
        internal SyncSpec? LocalOf(int field) =>
            Slots[field] >= 0 && local!.Fields[Slots[field]].Spec is var spec ? spec.Item ?? spec : null;
    }

    /// <summary>An object as the server knows it.</summary>
    private sealed class WireObject(SyncObject? value, WireBinding binding, int depth)
    {
        /// <summary>The object here; <see langword="null"/> if it is dropped.</summary>
        internal SyncObject? Value => value;

        internal WireBinding Binding => binding;

        internal SyncField[] Fields => binding.Fields;

        /// <summary>How deep it lies in the state: 1 for the root.</summary>
        internal int Depth => depth;

        /// <summary>The steps of quantized fields, by the server's slots.</summary>
        internal long[]? Steps { get; } = value is not null && binding.HasQuantized ? new long[binding.Fields.Length] : null;
    }
}
