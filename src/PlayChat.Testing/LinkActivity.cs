namespace PlayChat.Testing;

/// <summary>Counts what is going on: ends of links that do not wait for data, and senders that have been let go on. Thread-safe.</summary>
internal sealed class LinkActivity
{
    private readonly object _gate = new();
    private TaskCompletionSource? _idle;
    private int _active;
    private long _begun;

    /// <summary>Rises with everything that begins, so that a look before and one after show whether there was anything between.</summary>
    internal long Begun => Interlocked.Read(ref _begun);

    internal bool IsIdle => Volatile.Read(ref _active) == 0;

    internal void Begin()
    {
        Interlocked.Increment(ref _begun);
        Interlocked.Increment(ref _active);
    }

    internal void End()
    {
        if (Interlocked.Decrement(ref _active) == 0)
        {
            TaskCompletionSource? idle;
            lock (_gate)
            {
                idle = _idle;
                _idle = null;
            }

            idle?.TrySetResult();
        }
    }

    /// <summary>Completes when nothing is going on, which may be over again by then.</summary>
    internal Task IdleAsync()
    {
        lock (_gate)
        {
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            // After it can be seen by whoever ends the last: one of the two completes it.
            if (!IsIdle)
            {
                return _idle.Task;
            }

            _idle.TrySetResult();
            _idle = null;
            return Task.CompletedTask;
        }
    }
}
