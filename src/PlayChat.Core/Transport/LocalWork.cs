namespace PlayChat.Core.Transport;

/// <summary>Queues work where it is cheapest: on the event loop whose thread asks, elsewhere on the thread pool.</summary>
/// <remarks>
/// What handling a batch leaves to do (a room's turn, the next round of a busy connection) stays on the loop's own thread, so that it costs
/// no hand-over; the loop runs it after the events that are ready, so that they add to it.
/// </remarks>
internal static class LocalWork
{
    [ThreadStatic]
    private static ILocalWorkQueue? s_queue;

    /// <summary>The queue of the event loop that this thread runs; <see langword="null"/> on every other thread.</summary>
    internal static ILocalWorkQueue? Current
    {
        get => s_queue;
        set => s_queue = value;
    }

    /// <summary>Queues an item behind what waits already.</summary>
    internal static void Queue(IThreadPoolWorkItem item)
    {
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
