using System.Collections;

namespace PlayChat.State;

/// <summary>A list that clients see: of numbers, booleans, enums, strings, or objects of a class with
/// <see cref="SyncStateAttribute"/>.</summary>
/// <remarks>
/// A patch contains all items from the first that has changed to the last, also those between them that have not, so insert at the end
/// where you can. Objects among them that clients have already take a few bytes each. For many objects that come and go, use a
/// <see cref="SyncMap{TKey, TValue}"/>.
/// </remarks>
/// <typeparam name="T">The type of the items.</typeparam>
public sealed class SyncList<T> : SyncCollection, IReadOnlyList<T>
    where T : notnull
{
    private readonly List<T> _items = [];
    private int _formerCount; // at the last patch so many items were there,
    private int _before; // so many at the front have not changed,
    private int _behind; // and so many at the end

    /// <summary>Raised at a client for each new item, with its index, after the whole state was updated.</summary>
    public event Action<int, T>? Added;

    /// <summary>Raised at a client for each item that has left, with its former index, after the whole state was updated.</summary>
    public event Action<int, T>? Removed;

    /// <inheritdoc/>
    public override int Count => _items.Count;

    private SyncItem<T> Form => (SyncItem<T>)Forms.Item!;

    /// <summary>The item at an index.</summary>
    public T this[int index]
    {
        get => _items[index];
        set
        {
            if (!EqualityComparer<T>.Default.Equals(_items[index], value))
            {
                Enter(value, key: 0);
                NoteSplice(index, 1);
                (_items[index] as SyncObject)?.LeavePlace();
                _items[index] = value;
            }
        }
    }

    /// <summary>Adds an item at the end.</summary>
    public void Add(T item) => Insert(_items.Count, item);

    /// <summary>Inserts an item.</summary>
    public void Insert(int index, T item)
    {
        if ((uint)index > (uint)_items.Count)
        {
            throw new ArgumentOutOfRangeException(nameof(index));
        }

        Enter(item, key: 0);
        NoteSplice(index, 0);
        _items.Insert(index, item);
    }

    /// <summary>Removes the item at an index.</summary>
    public void RemoveAt(int index)
    {
        T item = _items[index];
        NoteSplice(index, 1);
        _items.RemoveAt(index);
        (item as SyncObject)?.LeavePlace();
    }

    /// <summary>Removes the first item that is equal.</summary>
    /// <returns>Whether there was one.</returns>
    public bool Remove(T item)
    {
        int index = _items.IndexOf(item);
        if (index >= 0)
        {
            RemoveAt(index);
        }

        return index >= 0;
    }

    /// <summary>Removes all items.</summary>
    public void Clear()
    {
        for (int i = _items.Count - 1; i >= 0; i--)
        {
            RemoveAt(i);
        }
    }

    /// <summary>Returns an enumerator, which allocates nothing.</summary>
    public List<T>.Enumerator GetEnumerator() => _items.GetEnumerator();

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => _items.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _items.GetEnumerator();

    internal override void Write(StateWriter writer, StateForm form)
    {
        int start = 0;
        int end = _items.Count;
        if (form == StateForm.Relative)
        {
            start = _before;
            end -= _behind;
            writer.WriteUnsigned((uint)start * 2UL);
            writer.WriteUnsigned((uint)(_formerCount - _before - _behind));
        }
        else if (form == StateForm.Absolute)
        {
            writer.WriteByte(1);
        }

        writer.WriteUnsigned((uint)(end - start));
        for (int i = start; i < end; i++)
        {
            if (form != StateForm.Full && _items[i] is SyncObject item)
            {
                bool isNew = item.CreatedAt > writer.Base;
                writer.WriteUnsigned(((uint)item.Number * 2UL) + (isNew ? 1UL : 0));
                if (isNew)
                {
                    writer.WriteFull(item);
                }
            }
            else
            {
                Form.Write(writer, _items[i]);
            }
        }
    }

    internal override void VisitItems(Action<object> see)
    {
        if (!typeof(T).IsValueType)
        {
            foreach (T item in _items)
            {
                SyncObject.Visit(item, see);
            }
        }
    }

    internal override SyncObject? Find(in SyncValue key) => _items[(int)key.Int64] as SyncObject;

    internal override void Splice(int start, int removed, List<SyncValue> added, ReceivedEdits edits)
    {
        // What is equal at both ends has not changed.
        T[] items = [.. added.Select(value => Form.Read(value))];
        T[] former = [.. _items.GetRange(start, removed)];
        int shorter = Math.Min(items.Length, removed);
        int before = 0;
        while (before < shorter && EqualityComparer<T>.Default.Equals(former[before], items[before]))
        {
            before++;
        }

        int behind = 0;
        while (behind < shorter - before && EqualityComparer<T>.Default.Equals(former[^(behind + 1)], items[^(behind + 1)]))
        {
            behind++;
        }

        start += before;
        former = former[before..^behind];
        items = items[before..^behind];
        HashSet<T> staying = [.. items.Where(static item => item is SyncObject { Parent: not null })];
        NoteSplice(start, former.Length);
        _items.RemoveRange(start, former.Length);
        _items.InsertRange(start, items);
        for (int i = 0; i < former.Length; i++)
        {
            if (!staying.Contains(former[i]))
            {
                (former[i] as SyncObject)?.LeavePlace();
                edits.Drop(former[i] as SyncObject);
                edits.Note(Removed, start + i, former[i]);
            }
        }

        for (int i = 0; i < items.Length; i++)
        {
            if (!staying.Contains(items[i]))
            {
                Enter(items[i], key: 0);
                edits.Note(Added, start + i, items[i]);
            }
        }
    }

    /// <summary>Notes that items are about to be replaced.</summary>
    private void NoteSplice(int index, int removed)
    {
        if (Tracker is { } tracker)
        {
            if (NoteChange(tracker))
            {
                _formerCount = _before = _behind = _items.Count;
            }

            _before = Math.Min(_before, index);
            _behind = Math.Min(_behind, _items.Count - index - removed);
        }
    }
}
