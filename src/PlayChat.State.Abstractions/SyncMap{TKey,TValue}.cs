using System.Collections;
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
    private HashSet<TKey>? _received; // keys that the message being read has set
    private int _nextPruning = 64;

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

    private SyncItem<TKey> KeyForm => (SyncItem<TKey>)Forms.Key!;

    private SyncItem<TValue> Form => (SyncItem<TValue>)Forms.Item!;

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
            StateView? view = writer.FiltersViews && IsViewed ? writer.View : null;
            writer.WriteUnsigned((uint)(view is null ? Count : CountShown(view)));
            foreach ((TKey key, TValue value) in _items)
            {
                if (view is null || view.IsShown((SyncObject)(object)value))
                {
                    KeyForm.Write(writer, key);
                    Form.Write(writer, value);
                }
            }

            return;
        }

        HashSet<TKey> changed = form == StateForm.Relative ? _touched : FindChanged(writer.Base);
        int set = 0;
        foreach (TKey key in changed)
        {
            set += _items.ContainsKey(key) ? 1 : 0;
        }

        writer.WriteUnsigned((uint)(changed.Count - set));
        foreach (TKey key in changed)
        {
            if (!_items.ContainsKey(key))
            {
                KeyForm.Write(writer, key);
            }
        }

        writer.WriteUnsigned((uint)set);
        foreach (TKey key in changed)
        {
            if (_items.TryGetValue(key, out TValue? value))
            {
                KeyForm.Write(writer, key);
                Form.Write(writer, value);
            }
        }
    }

    internal override void WriteKey(StateWriter writer, object key) => KeyForm.Write(writer, (TKey)key);

    internal override void VisitItems(Action<object> see)
    {
        foreach ((TKey key, TValue value) in _items)
        {
            SyncObject.Visit(key as string, see);
            SyncObject.Visit(typeof(TValue).IsValueType ? null : value, see);
        }
    }

    internal override SyncObject? Find(in SyncValue key) => _items.GetValueOrDefault(KeyForm.Read(key)) as SyncObject;

    internal override bool Set(in SyncValue key, in SyncValue value, ReceivedEdits edits)
    {
        TKey name = KeyForm.Read(key);
        if (!(_received ??= []).Add(name))
        {
            return false;
        }

        TValue item = Form.Read(value);
        bool had = _items.TryGetValue(name, out TValue? former);
        if (!had || !EqualityComparer<TValue>.Default.Equals(former, item))
        {
            if (had && former is SyncObject)
            {
                Drop(name, edits);
                had = false;
            }

            this[name] = item;
            edits.Note(had ? Changed : Added, name, item);
        }

        return true;
    }

    internal override void EndSetting(bool isWhole, ReceivedEdits edits)
    {
        if (isWhole && _items.Count > (_received?.Count ?? 0))
        {
            foreach (TKey key in _items.Keys.Except(_received ?? []).ToArray())
            {
                Drop(key, edits);
            }
        }

        _received?.Clear();
    }

    internal override void Remove(in SyncValue key, ReceivedEdits edits) => Drop(KeyForm.Read(key), edits);

    private int CountShown(StateView view) => _items.Values.Count(value => view.IsShown((SyncObject)(object)value));

    private HashSet<TKey> FindChanged(uint since) =>
        [.. (_history ?? []).Where(entry => entry.Value > since).Select(static entry => entry.Key)];

    private void Drop(TKey key, ReceivedEdits edits)
    {
        if (Remove(key, out TValue? value))
        {
            edits.Drop(value as SyncObject);
            edits.Note(Removed, key, value);
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
        if (Tracker is not { } tracker)
        {
            return;
        }

        if (NoteChange(tracker))
        {
            _touched.Clear();
        }

        _touched.Add(key);
        _history ??= [];
        _history[key] = tracker.Revision + 1;
        if (_history.Count > _nextPruning)
        {
            foreach ((TKey old, uint at) in _history)
            {
                if (at <= tracker.OldestBase)
                {
                    _history.Remove(old);
                }
            }

            if (_history.Count > MaxHistory)
            {
                tracker.ForgetBefore(tracker.Revision + 1);
                _history.Clear();
            }

            _nextPruning = Math.Max(64, 2 * _history.Count);
        }
    }
}
