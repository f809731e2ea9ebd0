namespace PlayChat.Core.Rooms;

/// <summary>Items by the time when they are due; of the same time the one that was set first. Setting and removing cost the logarithm of their number.</summary>
/// <remarks>Not <see cref="PriorityQueue{TElement, TPriority}"/>, which cannot remove: what was cancelled would stay until it is due. Not thread-safe.</remarks>
internal sealed class DueHeap<TItem>
    where TItem : class, IDue
{
    private Node[] _nodes = new Node[4];
    private int _count;
    private long _order;

    /// <summary>When the first item is due; the largest number when there is none.</summary>
    internal long NextDue => _count == 0 ? long.MaxValue : _nodes[0].Due;

    /// <summary>What is set from now on has at least this order.</summary>
    internal long NextOrder => _order;

    /// <summary>The first item, if it is due and was set before.</summary>
    /// <param name="now">Items up to this time are due.</param>
    /// <param name="order">Items of this order or a higher one do not count.</param>
    internal TItem? FindDue(long now, long order = long.MaxValue) =>
        _count > 0 && _nodes[0].Due <= now && _nodes[0].Order < order ? _nodes[0].Item : null;

    /// <summary>Adds an item, or gives it another time.</summary>
    internal void Set(TItem item, long due)
    {
        int at = item.Place;
        if (at < 0)
        {
            if (_count == _nodes.Length)
            {
                Array.Resize(ref _nodes, _count * 2);
            }

            at = _count++;
        }

        Settle(at, new Node(due, _order++, item));
    }

    /// <summary>Takes an item out, if it is in.</summary>
    internal void Remove(TItem item)
    {
        int at = item.Place;
        if (at < 0)
        {
            return;
        }

        item.Place = -1;
        Node last = _nodes[--_count];
        _nodes[_count] = default;
        if (at < _count)
        {
            Settle(at, last);
        }
    }

    /// <summary>Takes everything out.</summary>
    internal void Clear()
    {
        for (int i = 0; i < _count; i++)
        {
            _nodes[i].Item.Place = -1;
        }

        Array.Clear(_nodes);
        _count = 0;
    }

    /// <summary>Puts a node where it belongs, from a place that is free.</summary>
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
        node.Item.Place = at;
    }

    private readonly record struct Node(long Due, long Order, TItem Item)
    {
        internal bool IsBefore(Node other) => Due < other.Due || (Due == other.Due && Order < other.Order);
    }
}
