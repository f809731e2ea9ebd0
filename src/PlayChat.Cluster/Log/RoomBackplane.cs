using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;

namespace PlayChat.Cluster.Log;

/// <summary>What all engines share: queues with a bound, batches with numbers, subscriptions, the state, the fence, and the
/// metrics.</summary>
/// <remarks>
/// <para>An engine takes batches from <see cref="GetQueue"/>, appends their bytes to its log, and confirms them. It gives what it reads
/// to the <see cref="ShardReader"/> of each subscription. It reports its connection by <see cref="OnConnected"/> and
/// <see cref="OnLost"/>.</para>
/// <para>Thread-safe, except where a member says otherwise.</para>
/// </remarks>
public abstract class RoomBackplane : IRoomBackplane
{
    private readonly BatchQueue[] _queues;
    private readonly PendingBudget _budget;
    private readonly List<ShardSubscription> _subscriptions = []; // guarded by itself
    private readonly BackplaneStatus _status;
    private readonly ITimer _watch;
    private int _isDisposed;

    /// <param name="shardCount">How many shards there are, 1 to 65,536.</param>
    /// <param name="origin">This node and its present life.</param>
    /// <param name="options">The bounds; checked and copied.</param>
    /// <param name="loggers">Where to log; nowhere without it.</param>
    /// <param name="meters">Makes, and then owns, the meter; without it the backplane does.</param>
    /// <param name="time">The clock; the system's without it.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    protected RoomBackplane(
        int shardCount,
        RecordOrigin origin,
        BackplaneOptions options,
        ILoggerFactory? loggers = null,
        IMeterFactory? meters = null,
        TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(shardCount, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(shardCount, 1 << 16);
        RecordBatch.Check(origin);
        options.Validate();
        options = options.Copy();
        _budget = new PendingBudget(options.PendingBytes);
        Origin = origin;
        Time = time ?? TimeProvider.System;
        Logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger(typeof(RoomBackplane).FullName!);
        _queues = [.. Enumerable.Range(0, shardCount).Select(_ => new BatchQueue(origin, options, _budget, Time))];
        _status = new BackplaneStatus(
            options.PendingTimeout, OldestTimestamp, state => StateChanged?.Invoke(state), Logger, Time);
        Meter = new BackplaneMeter(this, meters);
        TimeSpan period = options.PendingTimeout / 10;
        _watch = Time.CreateTimer(static self => ((RoomBackplane)self!).Check(), this, period, period);
    }

    /// <inheritdoc/>
#pragma warning disable MA0046 // as the interface declares it
    public event Action<BackplaneState>? StateChanged;
#pragma warning restore MA0046

    /// <inheritdoc/>
    public int ShardCount => _queues.Length;

    /// <inheritdoc/>
    public RecordOrigin Origin { get; }

    /// <inheritdoc/>
    public BackplaneState State => _status.State;

    /// <summary>The instruments, and some of their values.</summary>
    public BackplaneMeter Meter { get; }

    /// <summary>Age of the oldest record of this node that it has not read back from the log; zero when there is none.</summary>
    public TimeSpan Lag => OldestTimestamp() is { } oldest ? Time.GetElapsedTime(oldest) : TimeSpan.Zero;

    /// <summary>Batches that were sent to the log and are not confirmed, over all shards.</summary>
    public int Unconfirmed => _queues.Sum(static queue => queue.Unconfirmed);

    /// <summary>Bytes of records that the log has not confirmed, over all shards.</summary>
    public long PendingBytes => _budget.Used;

    /// <summary>The clock.</summary>
    protected TimeProvider Time { get; }

    /// <summary>Where the engine logs.</summary>
    protected ILogger Logger { get; }

    /// <inheritdoc/>
    public PublishResult Publish(int shard, in RoomRecord record)
    {
        BatchQueue queue = GetQueue(shard);
        if (record.Kind >= RecordKind.FirstReserved && record.Kind is not (RecordKind.NodeDown or RecordKind.Broadcast or RecordKind.Probe))
        {
            throw new ArgumentOutOfRangeException(nameof(record), record.Kind, "Kinds from 200 on are the backplane's own.");
        }

        bool opened = false;
        PublishResult result = State == BackplaneState.Up ? queue.Add(in record, out opened) : PublishResult.Unavailable;
        Meter.Published(result);
        if (opened)
        {
            OnPending(shard);
        }

        return result;
    }

    /// <inheritdoc/>
    public ValueTask<IAsyncDisposable> SubscribeAsync(
        int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        _ = GetQueue(shard);
        return BeginAsync(shard, from, handler, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        End();
        await DisposeCoreAsync().ConfigureAwait(false);
        foreach (ShardSubscription subscription in GetSubscriptions())
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        await _watch.DisposeAsync().ConfigureAwait(false);
        Meter.Dispose();
    }

    /// <summary>A subscription has ended.</summary>
    internal void Forget(ShardSubscription subscription)
    {
        lock (_subscriptions)
        {
            _subscriptions.Remove(subscription);
        }

        GetQueue(subscription.Shard).RemoveReader();
    }

    internal void OnRead(int shard, in BatchHeader header, int delivered)
    {
        Meter.Read(delivered);
        OnAnswer();
        if (header.Origin == Origin && header.Number > 0 && _queues[shard].ReadBack(header.Number) is { } published)
        {
            Meter.ReadBack(Time.GetElapsedTime(published));
        }
    }

    /// <summary>Notes that a reader of this node has missed batches, maybe some of this node.</summary>
    internal void OnGap(int shard)
    {
        Meter.Gap();
        _queues[shard].Missed();
    }

    /// <summary>Notes that this node's own greeting was read.</summary>
    internal void OnHello(int shard) => _queues[shard].Greeted();

    /// <summary>Notes that a log declares a node dead.</summary>
    internal void OnNodeDown(RecordOrigin dead)
    {
        if (dead == Origin)
        {
            ClusterLog.Fenced(Logger, Origin.NodeId, Origin.Incarnation);
            End();
        }
    }

    /// <summary>Whether the offsets of the log have no gaps, so that one that is left out is a batch that is missing. Default false: only
    /// missing numbers of the batches of one node tell of a gap then, when the node's next batch is read.</summary>
    protected internal virtual bool HasDenseOffsets => false;

    /// <summary>Returns the queue of a shard, from which the engine takes batches.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such shard.</exception>
    protected BatchQueue GetQueue(int shard)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(shard);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(shard, _queues.Length);
        return _queues[shard];
    }

    /// <summary>Returns the subscriptions that have not ended.</summary>
    protected ShardSubscription[] GetSubscriptions()
    {
        lock (_subscriptions)
        {
            return [.. _subscriptions];
        }
    }

    /// <summary>Makes a subscription; it does not read yet.</summary>
    protected abstract ShardSubscription CreateSubscription();

    /// <summary>A subscription has begun: the engine reads the log for it, and writes its greeting.</summary>
    protected abstract void OnSubscribed(ShardSubscription subscription);

    /// <summary>Wakes the engine: a batch waits in the queue of a shard. Called by publishing threads; must not block.</summary>
    protected abstract void OnPending(int shard);

    /// <summary>The log has not answered for <see cref="BackplaneOptions.PendingTimeout"/> although it should. The engine drops its
    /// connection, reports <see cref="OnLost"/>, and connects again.</summary>
    protected abstract void OnSilent();

    /// <summary>Ends the engine's loops and connections. Afterwards all subscriptions end.</summary>
    protected abstract ValueTask DisposeCoreAsync();

    /// <summary>Reports that the engine can write to its log and read it.</summary>
    protected void OnConnected()
    {
        Meter.Connected();
        _status.Connected();
    }

    /// <summary>Reports that the engine has lost its connection. Records are accepted for
    /// <see cref="BackplaneOptions.PendingTimeout"/> more.</summary>
    protected void OnLost() => _status.Lost();

    /// <summary>Reports that the log has confirmed something.</summary>
    protected void OnAnswer()
    {
        _status.Answered();
        if (State == BackplaneState.Degraded)
        {
            Check();
        }
    }

    /// <summary>Puts the unconfirmed batches of a shard back to the front, after a connection broke.</summary>
    protected void Rewind(int shard) => Meter.Rewound(GetQueue(shard).Rewind());

    private void Check()
    {
        if (_status.Check())
        {
            OnSilent();
        }
    }

    private async ValueTask<IAsyncDisposable> BeginAsync(
        int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken)
    {
        ShardSubscription subscription = CreateSubscription();
        subscription.Begin(this, shard, new ShardReader(shard, from, handler, this, subscription.OnHello, Logger));
        lock (_subscriptions)
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
            _subscriptions.Add(subscription);
        }

        GetQueue(shard).AddReader();
        try
        {
            OnSubscribed(subscription);
            await subscription.CaughtUp.WaitAsync(cancellationToken).ConfigureAwait(false);
            return subscription;
        }
        catch
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void End()
    {
        _status.End();
        foreach (BatchQueue queue in _queues)
        {
            queue.Close();
        }
    }

    private long? OldestTimestamp() => _queues.Min(static queue => queue.OldestTimestamp());
}
