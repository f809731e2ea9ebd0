using PlayChat.Core.Transport;

namespace PlayChat.Simulation;

/// <summary>The work of the world that is ready to run. The seed decides which item is next.</summary>
/// <remarks>
/// For each item one entry in the queue of the thread pool, whose only thread takes any of the ready items when it comes to the entry. So
/// the items change places with each other and stay among the continuations of tasks, which the pool runs in its own order.
/// </remarks>
/// <param name="dice">Decides.</param>
/// <param name="clock">The clock of the items that are late.</param>
/// <param name="failed">Called with what an item throws, which would end a real server.</param>
internal sealed class ReadyQueue(Dice dice, SimulatedClock clock, Action<Exception> failed) : ILocalWorkQueue, IThreadPoolWorkItem
{
    private readonly List<IThreadPoolWorkItem> _ready = [];
    private bool _isInterrupted;

    /// <summary>The probability that an entry goes to the end of the pool's queue.</summary>
    internal double Overtaken { get; set; }

    /// <summary>The probability that an item starts late, as on a machine whose processors are busy.</summary>
    internal double Late { get; set; }

    /// <summary>The probability that <see cref="Interrupt"/> runs an item.</summary>
    internal double Interrupts { get; set; }

    /// <summary>The number of items that have run in the middle of another one.</summary>
    internal long InterruptCount { get; private set; }

    /// <summary>The number of items that have run.</summary>
    internal long Count { get; private set; }

    /// <summary>The number of items that started late.</summary>
    internal long LateCount { get; private set; }

    /// <summary>Changes an item before it is queued; <see langword="null"/> loses it. For broken variants.</summary>
    internal Func<IThreadPoolWorkItem, IThreadPoolWorkItem?>? Filter { get; set; }

    public void Enqueue(IThreadPoolWorkItem item)
    {
        if (Filter is not null && Filter(item) is null)
        {
            return;
        }

        if (Late > 0 && dice.Chance(Late))
        {
            LateCount++;
            clock.After(dice.Between(0.001, 0.03), item);
            return;
        }

        Add(item);
    }

    public void EnqueueAt(IThreadPoolWorkItem item, long due) =>
        throw new NotSupportedException("Only a server on the system's clock waits in an event loop.");

    /// <summary>Queues an item that is never late.</summary>
    internal void Add(IThreadPoolWorkItem item)
    {
        _ready.Add(item);
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_ready.Count == 0)
        {
            return; // of a world that was given up
        }

        if (Overtaken > 0 && dice.Chance(Overtaken))
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            return;
        }

        RunNext();
    }

    private void RunNext()
    {
        int index = dice.Next(_ready.Count);
        IThreadPoolWorkItem item = _ready[index];
        _ready[index] = _ready[^1];
        _ready.RemoveAt(_ready.Count - 1);
        Count++;
        try
        {
            item.Execute();
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    /// <summary>Runs a ready item on another thread now and then, as another processor would in the middle of the present item.</summary>
    internal void Interrupt()
    {
        if (Interrupts > 0 && !_isInterrupted && _ready.Count > 0 && dice.Chance(Interrupts))
        {
            InterruptCount++;
            _isInterrupted = true;
            SecondThread.Run(RunNext);
            _isInterrupted = false;
        }
    }

    /// <summary>Forgets all items.</summary>
    internal void Clear() => _ready.Clear();
}
