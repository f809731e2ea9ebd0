namespace PlayChat.Testing;

/// <summary>Counts active operations: link ends that do not wait for data, and senders that were resumed. Thread-safe.</summary>
internal sealed class LinkActivity
{
    private readonly object _gate = new();
    private TaskCompletionSource? _idle;
    private int _active;
    private long _begun;

    /// <summary>The number of operations that have begun. Two equal readings mean that no operation began between them.</summary>
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

    /// <summary>Completes when no operation is active. A new operation may have begun by the time the caller resumes.</summary>
    internal Task IdleAsync()
    {
        lock (_gate)
        {
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            // Checked after _idle is set: either End sees _idle and completes it, or IsIdle is true here.
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
