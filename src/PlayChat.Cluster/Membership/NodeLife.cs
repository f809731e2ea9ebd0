using System.Diagnostics.CodeAnalysis;
using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.Membership;

/// <summary>One life of a node in its cluster, from its registration to its stop or to the loss of its lease. Thread-safe.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The membership ends a life; the source has neither a timer nor a handle.")]
public sealed class NodeLife
{
    // A node whose lease ends closes its clients before the others declare it lost.
    private const double UsedOfLease = 0.8;
    private const double ProbedOfLease = 0.3;

    private static readonly TimeSpan s_maxPatience = TimeSpan.FromSeconds(3);

    private readonly NodeMembership _membership;
    private readonly TimeProvider _time;
    private readonly LogProbe _probe;
    private readonly TimeSpan _patience; // with a log that does not answer
    private readonly List<IAsyncDisposable> _subscriptions = []; // guarded by itself
    private readonly ConcurrentDictionary<(int Shard, RecordOrigin Node), bool> _down = [];
    private readonly CancellationTokenSource _ended = new();
    private readonly object _fenceGate = new();
    private long _renewed; // a timestamp
    private volatile IReadOnlySet<RecordOrigin>? _lives; // that were not forgotten when this life had begun to read the logs
    private volatile bool _isFenced;

    internal NodeLife(NodeMembership membership, NodeLease lease, IRoomBackplane backplane, TimeProvider time)
    {
        _membership = membership;
        Lease = lease;
        Backplane = backplane;
        _time = time;
        _probe = new LogProbe(backplane, time);
        TimeSpan probed = lease.Duration * ProbedOfLease;
        _patience = probed < s_maxPatience ? probed : s_maxPatience;
        _renewed = time.GetTimestamp();
        Ended = _ended.Token;
    }

    /// <summary>What the directory has said when the life began.</summary>
    public NodeLease Lease { get; }

    /// <summary>The node and its life.</summary>
    public RecordOrigin Origin => Lease.Origin;

    /// <summary>The log of this life.</summary>
    public IRoomBackplane Backplane { get; }

    /// <summary>Whether the node has lost its place in the cluster.</summary>
    public bool IsFenced => _isFenced;

    /// <summary>Time since the lease was renewed; zero for one that has no end.</summary>
    public TimeSpan LeaseAge => HasEndlessLease ? TimeSpan.Zero : _time.GetElapsedTime(Interlocked.Read(ref _renewed));

    /// <summary>Is cancelled when the life is fenced, or the node stops.</summary>
    internal CancellationToken Ended { get; }

    /// <summary>Whether a renewal is due: early enough that two more can fail.</summary>
    internal bool IsRenewalDue => !HasEndlessLease && LeaseAge >= RenewAfter;

    /// <summary>The age at which the lease is renewed.</summary>
    internal TimeSpan RenewAfter => Lease.Duration / 3.5;

    internal bool HasEndlessLease => Lease.Duration == Timeout.InfiniteTimeSpan;

    /// <summary>Begins to read the log of a shard, until the life ends.</summary>
    /// <param name="shard">0 to <see cref="IRoomBackplane.ShardCount"/> − 1; each of them once, so that the life learns of every node that
    /// is declared dead.</param>
    /// <param name="from">Where to begin.</param>
    /// <param name="handler">Called for every record. If a log declares this node dead, the life is fenced, and the handler not
    /// told.</param>
    /// <param name="cancellationToken">Ends the wait and the subscription.</param>
    /// <returns>Completes when the handler has seen everything that the log held at the call.</returns>
    public async Task SubscribeAsync(int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(handler);
        IAsyncDisposable subscription = await Backplane.SubscribeAsync(
            shard, from, new LifeReader(this, shard, handler), cancellationToken).ConfigureAwait(false);
        Own(subscription);
    }

    /// <summary>Ends the life: the service is told (<see cref="INodeService.OnFenced"/>), and the node begins another life. When a call
    /// returns, the service has been told, even if another thread made the first call. So the log's reader cannot hand it a later record
    /// before it, and the next life cannot begin before it.</summary>
    /// <param name="why">For the log: ends the sentence "The node has left the cluster: …".</param>
    public void Fence(string why)
    {
        lock (_fenceGate)
        {
            if (_isFenced)
            {
                return;
            }

            _isFenced = true;
            _membership.OnFenced(this);
        }

        _ended.Cancel();
        _membership.LogFenced(this, why); // a slow logger must not delay the service
    }

    internal void FenceWithoutLease() => Fence("its lease has ended");

    /// <summary>Disposes something with the life.</summary>
    internal void Own(IAsyncDisposable subscription)
    {
        lock (_subscriptions)
        {
            _subscriptions.Add(subscription);
        }
    }

    /// <summary>The lease was renewed by a call that began at a timestamp.</summary>
    internal void NoteRenewed(long timestamp) => Interlocked.Exchange(ref _renewed, timestamp);

    /// <summary>Fences the life if its lease is about to end and the log does not answer either. While the node reads the log, the log
    /// tells it when another node has declared it dead, and its clients can stay until then.</summary>
    internal void FenceIfCutOff()
    {
        TimeSpan age = LeaseAge;
        TimeSpan end = Lease.Duration * UsedOfLease;
        if (!HasEndlessLease && age > end - _patience && _probe.IsSilent(_patience) && age > end)
        {
            Fence("it could not renew its lease in time, and the log does not answer");
        }
    }

    /// <summary>Notes which lives the directory knew after this one had begun to read the logs from their ends.</summary>
    internal void NoteLives(IEnumerable<RecordOrigin> lives) => _lives = lives.ToHashSet();

    /// <summary>Whether a log has declared another life dead before this one read it, so that nothing tells this one.</summary>
    internal bool WasDead(RecordOrigin other) =>
        other.Incarnation < Origin.Incarnation && _lives is { } lives && !lives.Contains(other);

    /// <summary>Whether the log of a shard has declared a node dead, and the handler has been told.</summary>
    internal bool IsDown(int shard, RecordOrigin node) => _down.ContainsKey((shard, node));

    /// <summary>Ends the subscriptions and the log.</summary>
    internal async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        IAsyncDisposable[] subscriptions;
        lock (_subscriptions)
        {
            subscriptions = [.. _subscriptions];
        }

        foreach (IAsyncDisposable subscription in subscriptions)
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        await Backplane.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Passes on what a handler is told, and takes out what is for the life.</summary>
    private sealed class LifeReader(NodeLife life, int shard, IShardHandler handler) : IShardHandler
    {
        public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record) =>
            handler.OnRecord(in position, origin, in record);

        public void OnGap(LogPosition wanted, LogPosition found, GapReason reason) => handler.OnGap(wanted, found, reason);

        public void OnBroadcast(RecordOrigin origin, in RoomRecord record) => handler.OnBroadcast(origin, in record);

        public void OnProbe(RecordOrigin origin)
        {
            if (origin == life.Origin)
            {
                life._probe.NoteAnswer(shard);
            }
        }

        public void OnNodeDown(RecordOrigin origin)
        {
            if (origin == life.Origin)
            {
                life.Fence("another node has declared it dead");
                return;
            }

            handler.OnNodeDown(origin);
            life._down[(shard, origin)] = true;
        }
    }
}
