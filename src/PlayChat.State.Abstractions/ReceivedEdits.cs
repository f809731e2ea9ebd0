namespace PlayChat.State;

/// <summary>What the application of a message has done.</summary>
internal sealed class ReceivedEdits
{
    /// <summary>The objects that have left their place.</summary>
    internal List<SyncObject> Dropped { get; } = [];

    /// <summary>Calls the handlers.</summary>
    internal List<Action> Events { get; } = [];

    internal void Drop(SyncObject? left)
    {
        if (left is not null)
        {
            Dropped.Add(left);
        }
    }

    internal void Note<TKey, TItem>(Action<TKey, TItem>? handler, TKey key, TItem item)
    {
        if (handler is not null)
        {
            Add(handler, key, item);
        }
    }

    // Apart from its caller, which would make the closure also without a handler.
    private void Add<TKey, TItem>(Action<TKey, TItem> handler, TKey key, TItem item) => Events.Add(() => handler(key, item));
}
