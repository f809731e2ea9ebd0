namespace PlayChat.Cluster.Log;

/// <summary>Whether a backplane is up: decided by its connection, its log's last answer, and the age of its oldest record.</summary>
/// <remarks>Thread-safe. One thread of the pool at a time calls the handler of changes, in their order.</remarks>
/// <param name="timeout">After which silence the backplane is degraded.</param>
/// <param name="readOldest">Returns the timestamp of the oldest record that is not safe in the log; must not block.</param>
/// <param name="onChanged">Called after each change.</param>
/// <param name="logger">Where to log.</param>
/// <param name="time">The clock.</param>
internal sealed class BackplaneStatus(
    TimeSpan timeout, Func<long?> readOldest, Action<BackplaneState> onChanged, ILogger logger, TimeProvider time)
{
    private readonly object _gate = new();
    private readonly Queue<BackplaneState> _changes = new();
    private volatile int _state = (int)BackplaneState.Down; // written under _gate, as are the others
    private long _lastAnswer;
    private long? _lostAt;
    private bool _wasConnected;
    private bool _isEnded;
    private bool _isRaising;

    public BackplaneState State => (BackplaneState)_state;

    public void Connected()
    {
        lock (_gate)
        {
            _wasConnected = true;
            _lostAt = null;
            _lastAnswer = time.GetTimestamp();
            Evaluate();
        }
    }

    public void Lost()
    {
        lock (_gate)
        {
            _lostAt ??= time.GetTimestamp();
        }
    }

    public void Answered() => Volatile.Write(ref _lastAnswer, time.GetTimestamp());

    public void End()
    {
        lock (_gate)
        {
            _isEnded = true;
            Evaluate();
        }
    }

    /// <summary>Looks at the clock.</summary>
    /// <returns>Whether the log has been silent for too long although it is connected.</returns>
    public bool Check()
    {
        lock (_gate)
        {
            Evaluate();
            return State == BackplaneState.Degraded && _lostAt is null && IsOld(Volatile.Read(ref _lastAnswer));
        }
    }

    private void Evaluate()
    {
        BackplaneState state = _isEnded || !_wasConnected ? BackplaneState.Down
            : IsOld(_lostAt) || IsOld(readOldest()) ? BackplaneState.Degraded
            : BackplaneState.Up;
        if (state == State)
        {
            return;
        }

        _state = (int)state;
        ClusterLog.StateChanged(logger, state);
        _changes.Enqueue(state);
        if (!_isRaising)
        {
            _isRaising = true;
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.RaiseChanges(), this, preferLocal: false);
        }
    }

    private bool IsOld(long? timestamp) => timestamp is { } since && time.GetElapsedTime(since) > timeout;

    private void RaiseChanges()
    {
        while (true)
        {
            BackplaneState state;
            lock (_gate)
            {
                if (!_changes.TryDequeue(out state))
                {
                    _isRaising = false;
                    return;
                }
            }

            try
            {
                onChanged(state);
            }
            catch (Exception e) // the application's
            {
                ClusterLog.StateHandlerFault(logger, e);
            }
        }
    }
}
