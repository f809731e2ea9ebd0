namespace PlayChat.Core.Transport;

/// <summary>The work queue of an event loop: filled and drained by the loop's own thread.</summary>
internal interface ILocalWorkQueue
{
    /// <summary>Queues an item for the end of this turn of the loop. Only on the loop's own thread.</summary>
    void Enqueue(IThreadPoolWorkItem item);

    /// <summary>Queues an item for the first turn of the loop after a time. Only on the loop's own thread.</summary>
    /// <param name="item">What stands there cannot be taken back.</param>
    /// <param name="due">By the clock of <see cref="TimeProvider.System"/>, in its ticks.</param>
    void EnqueueAt(IThreadPoolWorkItem item, long due);
}
