using PlayChat.Core.Transport;

namespace PlayChat.Simulation.Cluster;

/// <summary>The process of a node. What reaches it waits while it is frozen, and is lost once it is killed.</summary>
/// <remarks>All that a node does begins with something that reaches it: a timer, bytes of a client, a batch of the log, an answer of the
/// directory. What has begun before it is frozen or killed still ends.</remarks>
/// <param name="ready">Takes what reaches it.</param>
internal sealed class NodeProcess(ReadyQueue ready) : ILocalWorkQueue
{
    private readonly List<IThreadPoolWorkItem> _held = [];

    internal bool IsFrozen { get; private set; }

    internal bool IsDead { get; private set; }

    public void Enqueue(IThreadPoolWorkItem item)
    {
        if (IsFrozen)
        {
            _held.Add(item);
        }
        else if (!IsDead)
        {
            ready.Enqueue(item);
        }
    }

    public void EnqueueAt(IThreadPoolWorkItem item, long due) =>
        throw new NotSupportedException("Only a server on the system's clock waits in an event loop.");

    /// <summary>Runs something in the process, now or when it wakes up.</summary>
    internal void Enter(Action action)
    {
        if (IsFrozen)
        {
            _held.Add(new WorkItem(action));
        }
        else if (!IsDead)
        {
            action();
        }
    }

    internal void Freeze() => IsFrozen = !IsDead;

    internal void WakeUp()
    {
        IsFrozen = false;
        _held.ForEach(ready.Add);
        _held.Clear();
    }

    internal void Kill()
    {
        IsDead = true;
        IsFrozen = false;
        _held.Clear();
    }
}
