namespace PlayChat.Core.Transport;

/// <summary>The work queue of an event loop. Only the loop's own thread calls it.</summary>
/// <remarks>
/// A batch of frames leaves work behind, such as a room's turn or the next round of a busy connection. On an event loop this work stays on
/// the loop's own thread, so handing it over costs nothing. The loop runs it after the events that are ready, so that they add to it.
/// </remarks>
public interface ILocalWorkQueue
{
    /// <summary>The queue of the calling thread's event loop; <see langword="null"/> on a thread without one.</summary>
    /// <remarks>
    /// A transport with event loops sets it on each loop's thread before the first event, and resets it when the thread ends. Handlers
    /// on such a thread must not block; a server's watchdog reports those that do.
    /// </remarks>
    static ILocalWorkQueue? Current
    {
        get => LocalWork.Current;
        set => LocalWork.Current = value;
    }

    /// <summary>Queues an item for the end of the loop's current turn, after the events that are ready.</summary>
    /// <param name="item">Must not throw. Items run in the order in which they were queued.</param>
    void Enqueue(IThreadPoolWorkItem item);

    /// <summary>Queues an item for the loop's first turn after a point in time.</summary>
    /// <param name="item">Must not throw. Withdrawing a queued item is not possible.</param>
    /// <param name="due">A timestamp of <see cref="TimeProvider.System"/>.</param>
    void EnqueueAt(IThreadPoolWorkItem item, long due);
}
