namespace PlayChat.Testing;

/// <summary>Counts active operations: link ends that do not wait for data, and senders that were resumed. Thread-safe.</summary>
internal sealed class LinkActivity
{
    private readonly object _gate = new();
    private TaskCompletionSource? _idle; // written under _gate, as the two below
    private int _active;
    private long _begun;

    /// <summary>The number of operations that have begun. Two equal readings mean that no operation began between them.</summary>
    internal long Begun => Interlocked.Read(ref _begun);

    internal bool IsIdle => Volatile.Read(ref _active) == 0;

    internal void Begin()
    {
        lock (_gate)
        {
            _begun++;
            _active++;
        }
    }

    internal void End()
    {
        lock (_gate)
        {
            if (--_active == 0)
            {
                _idle?.SetResult();
                _idle = null;
            }
        }
    }

    /// <summary>Completes when no operation is active. A new operation may have begun by the time the caller resumes.</summary>
    internal Task IdleAsync()
    {
        lock (_gate)
        {
            return _active == 0
                ? Task.CompletedTask
                : (_idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }
}
