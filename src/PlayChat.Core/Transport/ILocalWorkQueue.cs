namespace PlayChat.Core.Transport;

/// <summary>The work queue of an event loop: filled and drained by the loop's own thread.</summary>
internal interface ILocalWorkQueue
{
    /// <summary>Queues an item for the end of this turn of the loop. Only on the loop's own thread.</summary>
    void Enqueue(IThreadPoolWorkItem item);
}
