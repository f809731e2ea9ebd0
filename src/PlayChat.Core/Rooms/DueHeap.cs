namespace PlayChat.Core.Rooms;

/// <summary>A heap of items by the time when they are due; items with the same time stay in the order in which they were set.</summary>
/// <remarks>
/// <para>Setting and removing an item take logarithmic time. <see cref="PriorityQueue{TElement, TPriority}"/> cannot remove an item, so
/// cancelled ones would stay until they are due.</para>
/// <para>Invariant: <c>_nodes[i].Item.HeapIndex == i</c>, and no node comes before its parent. Not thread-safe.</para>
/// </remarks>
internal sealed class DueHeap<TItem>
    where TItem : class, IDue
{
    private Node[] _nodes = new Node[4];
    private int _count;

    /// <summary>The time when the first item is due; <see cref="long.MaxValue"/> if there is none.</summary>
    internal long NextDue => _count == 0 ? long.MaxValue : _nodes[0].Due;

    /// <summary>The order that the next item to be set gets.</summary>
    internal long NextOrder { get; private set; }

    /// <summary>The items in no particular order; valid until the next change.</summary>
    internal IEnumerable<TItem> Items => _nodes.Take(_count).Select(static node => node.Item);

    /// <summary>Returns the first item, if it is due and has a lower order.</summary>
    /// <param name="now">Items up to this time are due.</param>
    /// <param name="order">Items with this order or a higher one do not count.</param>
    internal TItem? FindDue(long now, long order = long.MaxValue) =>
        _count > 0 && _nodes[0].Due <= now && _nodes[0].Order < order ? _nodes[0].Item : null;

    /// <summary>Adds an item, or changes its time.</summary>
    internal void Set(TItem item, long due)
    {
        int at = item.HeapIndex;
        if (at < 0)
        {
            if (_count == _nodes.Length)
            {
                Array.Resize(ref _nodes, _count * 2);
            }

            at = _count++;
        }

        Settle(at, new Node(due, NextOrder++, item));
    }

    internal void Remove(TItem item)
    {
        int at = item.HeapIndex;
        if (at < 0)
        {
            return;
        }

        item.HeapIndex = -1;
        Node last = _nodes[--_count];
        _nodes[_count] = default;
        if (at < _count)
        {
            Settle(at, last);
        }
    }

    internal void Clear()
    {
        for (int i = 0; i < _count; i++)
        {
            _nodes[i].Item.HeapIndex = -1;
        }

        Array.Clear(_nodes);
        _count = 0;
    }

    /// <summary>Moves a node from a free place to the place where it belongs.</summary>
    private void Settle(int at, Node node)
    {
        while (at > 0 && node.IsBefore(_nodes[(at - 1) / 2]))
        {
            Put(at, _nodes[(at - 1) / 2]);
            at = (at - 1) / 2;
        }

        while (true)
        {
            int child = (2 * at) + 1;
            if (child + 1 < _count && _nodes[child + 1].IsBefore(_nodes[child]))
            {
                child++;
            }

            if (child >= _count || !_nodes[child].IsBefore(node))
            {
                break;
            }

            Put(at, _nodes[child]);
            at = child;
        }

        Put(at, node);
    }

    private void Put(int at, Node node)
    {
        _nodes[at] = node;
        node.Item.HeapIndex = at;
    }

    private readonly record struct Node(long Due, long Order, TItem Item)
    {
        internal bool IsBefore(Node other) => Due < other.Due || (Due == other.Due && Order < other.Order);
    }
}
