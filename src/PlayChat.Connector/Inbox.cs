namespace PlayChat.Connector;

/// <summary>What handlers are called for, in order: on the thread pool, or by the thread that polls. Thread-safe.</summary>
/// <remarks>Invariant, under <c>_queue</c>: at most one thread runs items, while <c>_isRunning</c>.</remarks>
internal sealed class Inbox(ClientOptions options)
{
    private readonly Queue<Action> _queue = new();
    private TaskCompletionSource<bool>? _room;
    private bool _isRunning;

    /// <summary>Adds what must not be lost, such as an event.</summary>
    internal void Post(Action item)
    {
        lock (_queue)
        {
            _queue.Enqueue(item);
            if (options.HandleInPoll || _isRunning)
            {
                return;
            }

            _isRunning = true;
        }

        _ = ThreadPool.QueueUserWorkItem(static inbox => inbox.RunAll(), this, preferLocal: false);
    }

    /// <summary>Adds a packet.</summary>
    /// <returns>Completes when there is room for another one.</returns>
    internal Task PostPacket(Action item)
    {
        Post(item);
        lock (_queue)
        {
            return _queue.Count < options.MaxWaitingPackets
                ? Task.CompletedTask
                : (_room ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Runs what is there now.</summary>
    /// <returns>How many items it has run.</returns>
    internal int Poll()
    {
        int count;
        lock (_queue)
        {
            if (!options.HandleInPoll || _isRunning)
            {
                return 0;
            }

            _isRunning = true;
            count = _queue.Count;
        }

        int run = 0;
        while (run < count && TryTake(out Action? item))
        {
            Run(item!);
            run++;
        }

        lock (_queue)
        {
            _isRunning = false;
        }

        return run;
    }

    private void RunAll()
    {
        while (TryTake(out Action? item))
        {
            Run(item!);
        }
    }

    private bool TryTake(out Action? item)
    {
        TaskCompletionSource<bool>? room = null;
        lock (_queue)
        {
            if (!_queue.TryDequeue(out item))
            {
                _isRunning = false;
                return false;
            }

            if (_room is not null && _queue.Count <= options.MaxWaitingPackets / 2)
            {
                (room, _room) = (_room, null);
            }
        }

        room?.SetResult(true);
        return true;
    }

    private void Run(Action item)
    {
        try
        {
            item();
        }
        catch (Exception e)
        {
            options.HandlerFailed(e); // the application's code: its exception must not end what delivers the next packet
        }
    }
}
