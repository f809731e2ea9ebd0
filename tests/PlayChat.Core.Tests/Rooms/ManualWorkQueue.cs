using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Stands for an event loop on the test's thread: work that this thread queues waits here until the test runs it.</summary>
/// <remarks>The test must not await while it is in place.</remarks>
internal sealed class ManualWorkQueue : ILocalWorkQueue, IDisposable
{
    private readonly Queue<IThreadPoolWorkItem> _items = new();

    internal ManualWorkQueue() => LocalWork.Current = this;

    internal int Count => _items.Count;

    public void Enqueue(IThreadPoolWorkItem item) => _items.Enqueue(item);

    public void EnqueueAt(IThreadPoolWorkItem item, long due) => throw new NotSupportedException();

    internal void RunNext() => _items.Dequeue().Execute();

    internal void RunAll()
    {
        while (_items.Count > 0)
        {
            RunNext();
        }
    }

    public void Dispose() => LocalWork.Current = null;
}
