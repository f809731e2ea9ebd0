using System.Diagnostics.Metrics;

namespace PlayChat.Cluster.Log;

/// <summary>A backplane whose logs are in this process: a cluster of one, or several nodes of a test.</summary>
/// <remarks>Thread-safe. Publishing threads append to the log themselves; handlers run on the thread pool.</remarks>
public sealed class LocalBackplane : RoomBackplane
{
    private readonly LocalLog _log;
    private readonly object[] _appending; // by shard: keeps the order of batches between taking and appending them

    /// <param name="log">The logs; nodes of one cluster share them.</param>
    /// <param name="origin">This node and its present life.</param>
    /// <param name="options">The bounds; the defaults without it.</param>
    /// <param name="loggers">Where to log; nowhere without it.</param>
    /// <param name="meters">Makes, and then owns, the meter; without it the backplane does.</param>
    /// <param name="time">The clock; the system's without it.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    public LocalBackplane(
        LocalLog log,
        RecordOrigin origin,
        BackplaneOptions? options = null,
        ILoggerFactory? loggers = null,
        IMeterFactory? meters = null,
        TimeProvider? time = null)
        : base((log ?? throw new ArgumentNullException(nameof(log))).ShardCount, origin, options ?? new(), loggers, meters, time)
    {
        _log = log;
        _appending = [.. Enumerable.Range(0, log.ShardCount).Select(static _ => new object())];
        _log.AvailabilityChanged += OnAvailabilityChanged;
        if (_log.IsAvailable)
        {
            OnConnected();
        }
    }

    /// <inheritdoc/>
    protected internal override bool HasDenseOffsets => true;

    /// <inheritdoc/>
    protected override void OnPending(int shard)
    {
        BatchQueue queue = GetQueue(shard);
        lock (_appending[shard])
        {
            while (_log.IsAvailable && queue.TryTake(_log.GetEpoch(shard), out PendingBatch batch))
            {
                _log.Append(shard, batch.Bytes.Span);
                queue.Confirm(batch.Number, multiple: false);
                OnAnswer();
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnSilent()
    {
        // There is no connection to drop.
    }

    /// <inheritdoc/>
    protected override ShardSubscription CreateSubscription() => new LocalSubscription(this);

    /// <inheritdoc/>
    protected override void OnSubscribed(ShardSubscription subscription)
    {
        ((LocalSubscription)subscription).Begin();
        Greet(subscription);
    }

    /// <inheritdoc/>
    protected override ValueTask DisposeCoreAsync()
    {
        _log.AvailabilityChanged -= OnAvailabilityChanged;
        return ValueTask.CompletedTask;
    }

    private LocalPlace FirstPlace(int shard, SubscribeFrom from) => from switch
    {
        { Position: { } position } => new LocalPlace(position.Epoch, position.Offset),
        { IsEarliest: true } => new LocalPlace(_log.GetEpoch(shard), 0),
        _ => _log.GetEnd(shard),
    };

    private void Greet(ShardSubscription subscription)
    {
        if (_log.IsAvailable && !subscription.CaughtUp.IsCompleted)
        {
            _log.Append(subscription.Shard, RecordBatch.WriteHello(Origin, _log.GetEpoch(subscription.Shard), subscription.Nonce));
        }
    }

    private void OnAvailabilityChanged()
    {
        if (!_log.IsAvailable)
        {
            OnLost();
            return;
        }

        OnConnected();
        foreach (ShardSubscription subscription in GetSubscriptions())
        {
            Greet(subscription);
            ((LocalSubscription)subscription).Wake();
        }

        for (int shard = 0; shard < ShardCount; shard++)
        {
            OnPending(shard);
        }
    }

    /// <summary>Reads one shard on the thread pool, one turn at a time.</summary>
    private sealed class LocalSubscription(LocalBackplane backplane) : ShardSubscription, IThreadPoolWorkItem
    {
        private const int Idle = 0;
        private const int Running = 1; // a turn is scheduled or runs
        private const int Woken = 2; // and must look once more

        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private LocalPlace _next; // what is read next
        private int _turn = Running; // Idle, Running or Woken; no turn is scheduled before Begin

        public void Begin()
        {
            _next = backplane.FirstPlace(Shard, Reader.Attach());
            backplane._log.Follow(Shard, Wake);
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        public void Wake()
        {
            if (Interlocked.Exchange(ref _turn, Woken) == Idle)
            {
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            }
        }

        public void Execute()
        {
            // A wake-up during a round sets Woken again, so the batch that it tells of is seen in the next round.
            do
            {
                Interlocked.Exchange(ref _turn, Running);
                ReadAll();
                if (IsEnded)
                {
                    _ended.TrySetResult();
                    return; // _turn stays Running, so that no further turn is scheduled
                }
            }
            while (Interlocked.CompareExchange(ref _turn, Idle, Running) != Running);
        }

        protected override async ValueTask EndAsync()
        {
            backplane._log.Unfollow(Shard, Wake);
            Wake();
            await _ended.Task.ConfigureAwait(false);
        }

        private void ReadAll()
        {
            LocalPlace place = _next;
            while (!IsEnded && backplane._log.TryRead(Shard, ref place) is { } batch)
            {
                if (place != _next)
                {
                    Reader.Attach(); // the log has dropped the next batch, or was replaced
                }

                Reader.Read(place.Offset, batch);
                place = _next = place with { Offset = place.Offset + 1 };
            }
        }
    }
}
