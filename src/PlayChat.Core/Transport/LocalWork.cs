namespace PlayChat.Core.Transport;

/// <summary>Queues work where it costs least: on the calling thread's event loop, or on the thread pool when the thread has none.</summary>
internal static class LocalWork
{
    [ThreadStatic]
    private static ILocalWorkQueue? s_queue;

    /// <inheritdoc cref="ILocalWorkQueue.Current"/>
    internal static ILocalWorkQueue? Current
    {
        get => s_queue;
        set => s_queue = value;
    }

    /// <summary>Queues an item behind the items that are queued already.</summary>
    /// <param name="item">Must not throw.</param>
    internal static void Queue(IThreadPoolWorkItem item)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (s_queue is { } queue)
        {
            queue.Enqueue(item);
        }
        else
        {
            ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);
        }
    }
}
