namespace PlayChat.Core.Transport;

/// <summary>Queues work where it costs least: on the calling thread's event loop, or on the thread pool when the thread has none.</summary>
/// <remarks>
/// A batch of frames leaves work behind, such as a room's turn or the next round of a busy connection. On an event loop this work stays on
/// the loop's own thread, so handing it over costs nothing. The loop runs it after the events that are ready, so that they add to it.
/// </remarks>
public static class LocalWork
{
    [ThreadStatic]
    private static ILocalWorkQueue? s_queue;

    /// <summary>The queue of the calling thread's event loop; <see langword="null"/> on a thread without one.</summary>
    /// <remarks>
    /// A transport with event loops sets it on each loop's thread before the first event, and resets it when the thread ends. Handlers
    /// on such a thread must not block; a server's watchdog reports those that do.
    /// </remarks>
    public static ILocalWorkQueue? Current
    {
        get => s_queue;
        set => s_queue = value;
    }

    /// <summary>Queues an item behind the items that are queued already.</summary>
    /// <param name="item">Must not throw.</param>
    public static void Queue(IThreadPoolWorkItem item)
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
