using System.Collections;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace PlayChat.State;

/// <summary>A dictionary that clients see. A patch contains the keys that were set or removed.</summary>
/// <typeparam name="TKey">An integer, an enum or a string.</typeparam>
/// <typeparam name="TValue">As the items of a <see cref="SyncList{T}"/>.</typeparam>
public sealed class SyncMap<TKey, TValue> : SyncCollection, IReadOnlyDictionary<TKey, TValue>
    where TKey : notnull
    where TValue : notnull
{
    private const int MaxHistory = 16_384;

    private readonly Dictionary<TKey, TValue> _items = [];
    private readonly HashSet<TKey> _touched = []; // keys that were set or removed since the last patch
    private Dictionary<TKey, uint>? _history; // with which revision a key was set or removed; for members that are behind
    private int _nextPruning = 64;
    private SyncItem<TKey>? _keys;
    private SyncItem<TValue>? _values;

    /// <summary>Raised at a client for each key that is new, after the whole state was updated.</summary>
    public event Action<TKey, TValue>? Added;

    /// <summary>Raised at a client for each key that was removed, with its last value, after the whole state was updated.</summary>
    public event Action<TKey, TValue>? Removed;

    /// <summary>
    /// Raised at a client for each key with another value, after the whole state was updated. An object in the map that changes raises
    /// <see cref="SyncObject.Changed"/> instead.
    /// </summary>
    public event Action<TKey, TValue>? Changed;

    /// <inheritdoc/>
    public override int Count => _items.Count;

    /// <summary>The keys, in no particular order. Enumerating them allocates nothing.</summary>
    public Dictionary<TKey, TValue>.KeyCollection Keys => _items.Keys;

    /// <summary>The values, in no particular order. Enumerating them allocates nothing.</summary>
    public Dictionary<TKey, TValue>.ValueCollection Values => _items.Values;

    IEnumerable<TKey> IReadOnlyDictionary<TKey, TValue>.Keys => _items.Keys;

    IEnumerable<TValue> IReadOnlyDictionary<TKey, TValue>.Values => _items.Values;

    /// <summary>The value of a key. Setting it adds or replaces the value.</summary>
    /// <exception cref="KeyNotFoundException">The map does not have the key.</exception>
    public TValue this[TKey key]
    {
        get => _items[key];
        set
        {
            if (!_items.TryGetValue(key, out TValue? former) || !EqualityComparer<TValue>.Default.Equals(former, value))
            {
                Enter(value, key);
                Leave(former);
                _items[key] = value;
                NoteTouched(key);
            }
        }
    }

    /// <summary>Connects the map with its owner. For generated code.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void Bind(SyncObject owner, ulong slot, SyncItem<TKey> keys, SyncItem<TValue> values)
    {
        Bind(owner, slot);
        (_keys, _values) = (keys, values);
    }

    /// <summary>Adds a key.</summary>
    /// <exception cref="ArgumentException">The map has the key already.</exception>
    public void Add(TKey key, TValue value)
    {
        if (_items.ContainsKey(key))
        {
            throw new ArgumentException($"The map has the key {key} already.", nameof(key));
        }

        this[key] = value;
    }

    /// <summary>Removes a key.</summary>
    /// <returns>Whether the map had it.</returns>
    public bool Remove(TKey key) => Remove(key, out _);

    /// <summary>Removes a key, and returns the value that it had.</summary>
    /// <returns>Whether the map had it.</returns>
    public bool Remove(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        if (!_items.Remove(key, out value))
        {
            return false;
        }

        Leave(value);
        NoteTouched(key);
        return true;
    }

    /// <summary>Removes all keys.</summary>
    public void Clear()
    {
        foreach (TKey key in _items.Keys.ToArray())
        {
            Remove(key);
        }
    }

    /// <inheritdoc/>
    public bool ContainsKey(TKey key) => _items.ContainsKey(key);

    /// <inheritdoc/>
    public bool TryGetValue(TKey key, [MaybeNullWhen(false)] out TValue value) => _items.TryGetValue(key, out value);

    /// <summary>Returns an enumerator of keys and values in no particular order. It allocates nothing.</summary>
    public Dictionary<TKey, TValue>.Enumerator GetEnumerator() => _items.GetEnumerator();

    IEnumerator<KeyValuePair<TKey, TValue>> IEnumerable<KeyValuePair<TKey, TValue>>.GetEnumerator() => _items.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _items.GetEnumerator();

    internal override void Write(StateWriter writer, StateForm form)
    {
        if (form == StateForm.Full)
        {
            bool filters = writer.FiltersViews && (Owner.SyncType.ViewedMaps & Slot) != 0;
            writer.WriteUnsigned((uint)(filters ? _items.Values.Count(value => writer.View!.IsShown((SyncObject)(object)value)) : Count));
            foreach ((TKey key, TValue value) in _items)
            {
                if (!filters || writer.View!.IsShown((SyncObject)(object)value))
                {
                    WriteEntry(writer, key, value);
                }
            }

            return;
        }

        // First the removed keys, then those that were set.
        for (int isSet = 0; isSet <= 1; isSet++)
        {
            int count = 0;
            for (int pass = 0; pass <= 1; pass++)
            {
                if (form == StateForm.Relative)
                {
                    foreach (TKey key in _touched)
                    {
                        count += WriteTouched(writer, key, isSet == 1, pass == 1);
                    }
                }
                else
                {
                    foreach ((TKey key, uint revision) in _history ?? [])
                    {
                        count += revision > writer.Base ? WriteTouched(writer, key, isSet == 1, pass == 1) : 0;
                    }
                }

                if (pass == 0)
                {
                    writer.WriteUnsigned((uint)count);
                }
            }
        }
    }

    internal override void WriteKey(StateWriter writer, object key) => writer.WriteValue(_keys!.Spec, _keys.Write((TKey)key));

    internal override void EndChange(uint revision)
    {
        if (_touched.Count == 0)
        {
            return;
        }

        _history ??= [];
        foreach (TKey key in _touched)
        {
            _history[key] = revision;
        }

        _touched.Clear();
        if (_history.Count > _nextPruning)
        {
            foreach ((TKey key, uint at) in _history)
            {
                if (at <= (Tracker?.OldestBase ?? revision))
                {
                    _history.Remove(key);
                }
            }

            if (_history.Count > MaxHistory)
            {
                Tracker?.ForgetBefore(revision);
                _history.Clear();
            }

            _nextPruning = Math.Max(64, 2 * _history.Count);
        }
    }

    internal override void VisitItems(SyncVisitor visitor)
    {
        foreach ((TKey key, TValue value) in _items)
        {
            visitor.Visit(key as string);
            visitor.Visit(typeof(TValue).IsValueType ? null : (object)value);
        }
    }

    internal override SyncObject NewItem() => _values!.Create!();

    internal override SyncObject? Find(in SyncValue key) => _items.GetValueOrDefault(_keys!.Read(key)) as SyncObject;

    internal override void Set(in SyncValue key, in SyncValue value, ReceivedEdits edits)
    {
        TKey name = _keys!.Read(key);
        TValue item = _values!.Read(value);
        bool had = _items.TryGetValue(name, out TValue? former);
        if (had && EqualityComparer<TValue>.Default.Equals(former, item))
        {
            return;
        }

        if (had && former is SyncObject)
        {
            Remove(in key, edits);
            had = false;
        }

        this[name] = item;
        Note(had ? Changed : Added, name, item, edits);
    }

    internal override void Remove(in SyncValue key, ReceivedEdits edits) => Drop(_keys!.Read(key), edits);

    internal override void KeepOnly(List<SyncValue> keys, ReceivedEdits edits)
    {
        if (_items.Count != keys.Count)
        {
            HashSet<TKey> staying = [.. keys.Select(key => _keys!.Read(key))];
            foreach (TKey key in _items.Keys.Where(key => !staying.Contains(key)).ToArray())
            {
                Drop(key, edits);
            }
        }
    }

    private static void Note(Action<TKey, TValue>? handler, TKey key, TValue value, ReceivedEdits edits)
    {
        if (handler is not null)
        {
            edits.Events.Add(() => handler(key, value));
        }
    }

    private void Drop(TKey key, ReceivedEdits edits)
    {
        if (Remove(key, out TValue? value))
        {
            if (value is SyncObject left)
            {
                edits.Dropped.Add(left);
            }

            Note(Removed, key, value, edits);
        }
    }

    private void Leave(TValue? former)
    {
        if (former is SyncObject left)
        {
            Tracker?.NoteLeft(left);
            left.LeavePlace();
        }
    }

    private void NoteTouched(TKey key)
    {
        if (Tracker is not null)
        {
            _touched.Add(key);
            Owner.NoteChange(Slot);
        }
    }

    private void WriteEntry(StateWriter writer, TKey key, TValue value)
    {
        writer.WriteValue(_keys!.Spec, _keys.Write(key));
        writer.WriteValue(_values!.Spec, _values.Write(value));
    }

    /// <summary>Writes a key that was removed, or one that was set with its value.</summary>
    /// <returns>1 if the key is such a one.</returns>
    private int WriteTouched(StateWriter writer, TKey key, bool isSet, bool writes)
    {
        if (_items.TryGetValue(key, out TValue? value) != isSet)
        {
            return 0;
        }

        if (writes && isSet)
        {
            WriteEntry(writer, key, value!);
        }
        else if (writes)
        {
            writer.WriteValue(_keys!.Spec, _keys.Write(key));
        }

        return 1;
    }
}
