namespace PlayChat.Chat.Operations.Admin;

/// <summary>Keeps the items with the highest ranks of many, so that a long list is never copied or sorted as a whole.</summary>
internal sealed class TopList<TItem>(int limit)
{
    private readonly PriorityQueue<TItem, double> _kept = new();

    public long Added { get; private set; }

    /// <summary>Adds an item, which pushes the lowest one out of a full list.</summary>
    public void Add(TItem item, double rank)
    {
        Added++;
        if (_kept.Count < limit)
        {
            _kept.Enqueue(item, rank);
        }
        else
        {
            _kept.EnqueueDequeue(item, rank);
        }
    }

    /// <summary>Takes all kept items, the highest rank first. The list is empty afterwards.</summary>
    public IReadOnlyList<TItem> TakeAll()
    {
        var items = new TItem[_kept.Count];
        for (int i = items.Length - 1; i >= 0; i--)
        {
            items[i] = _kept.Dequeue();
        }

        return items;
    }
}
