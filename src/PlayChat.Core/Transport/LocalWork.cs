namespace PlayChat.Core.Transport;

/// <summary>Queues work where it costs least: on the calling thread's event loop, or on the thread pool when the thread has none.</summary>
internal static class LocalWork
{
    [ThreadStatic]
    private static ILocalWorkQueue? s_queue;

    /// <summary>Takes the place of the thread pool in a simulation, to choose the order of the work; otherwise <see langword="null"/>.
    /// </summary>
    internal static ILocalWorkQueue? Pool { get; set; }

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
            QueueToPool(item);
        }
    }

    /// <summary>Queues an item on the thread pool, also on the thread of an event loop.</summary>
    /// <param name="item">Must not throw.</param>
    internal static void QueueToPool(IThreadPoolWorkItem item)
    {
        if (Pool is { } pool)
        {
            pool.Enqueue(item);
        }
        else
        {
            ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);
        }
    }
}
