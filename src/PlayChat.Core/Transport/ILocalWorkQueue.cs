namespace PlayChat.Core.Transport;

/// <summary>The work queue of an event loop. Only the loop's own thread calls it; see <see cref="LocalWork.Current"/>.</summary>
public interface ILocalWorkQueue
{
    /// <summary>Queues an item for the end of the loop's current turn, after the events that are ready.</summary>
    /// <param name="item">Must not throw. Items run in the order in which they were queued.</param>
    void Enqueue(IThreadPoolWorkItem item);

    /// <summary>Queues an item for the loop's first turn after a point in time.</summary>
    /// <param name="item">Must not throw. A queued item cannot be withdrawn.</param>
    /// <param name="due">A timestamp of <see cref="TimeProvider.System"/>.</param>
    void EnqueueAt(IThreadPoolWorkItem item, long due);
}
