using System.Collections.Concurrent;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>Takes directory and log away from a node, as a crash does, or freezes what it reads, as a slow network does.</summary>
/// <param name="readers">How many threads read the logs of a node.</param>
internal sealed class NodeSwitch(int readers)
{
    private const byte NoKind = 99; // no room knows it

    private readonly object _gate = new();
    private readonly int[] _read = new int[256]; // by the kind of the record
    private IRoomBackplane? _backplane;
    private int _renewals;
    private int _refusals;
    private int _releases;
    private int _questions;
    private int _answers;
    private int _confirmations;
    private Task _mayAcquire = Task.CompletedTask;
    private Task _mayRelease = Task.CompletedTask;
    private volatile bool _isRefused;
    private volatile bool _misses;
    private bool _isHeld; // guarded by _gate
    private int _waiting;
    private volatile bool _isDeaf;
    private volatile bool _isDead;

    /// <summary>Whether the node reaches nothing any more.</summary>
    public bool IsDead
    {
        get => _isDead;
        set => _isDead = value;
    }

    /// <summary>Whether the log refuses what the node writes.</summary>
    public bool IsRefused
    {
        get => _isRefused;
        set => _isRefused = value;
    }

    /// <summary>Whether the node misses the records that it reads. Afterwards it reads that records are missing.</summary>
    public bool Misses
    {
        get => _misses;
        set => _misses = value;
    }

    /// <summary>How many records the log has refused.</summary>
    public int Refusals => Volatile.Read(ref _refusals);

    /// <summary>How often the node has told the directory that it gives a room up.</summary>
    public int Releases => Volatile.Read(ref _releases);

    /// <summary>How often the node has asked the directory for a room, answered or not.</summary>
    public int Questions => Volatile.Read(ref _questions);

    /// <summary>How often the directory has answered <see cref="Questions"/>.</summary>
    public int Answers => Volatile.Read(ref _answers);

    /// <summary>How many lost nodes the node has made the directory forget.</summary>
    public int Confirmations => Volatile.Read(ref _confirmations);

    /// <summary>How often the node has renewed its lease.</summary>
    public int Renewals => Volatile.Read(ref _renewals);

    /// <summary>Lets the node wait before each question for a room, until the result is set.</summary>
    public TaskCompletionSource HoldQuestions() => Hold(ref _mayAcquire);

    /// <summary>Lets the node wait before it tells the directory that it gives a room up, until the result is set.</summary>
    public TaskCompletionSource HoldReleases() => Hold(ref _mayRelease);

    /// <summary>Takes the directory away from the node until <see cref="ReachDirectory"/>.</summary>
    public void LoseDirectory() => _isDeaf = true;

    /// <summary>Lets the node learn nothing more: it does not renew its lease and does not read the log, but it writes.</summary>
    public Task DeafenAsync()
    {
        LoseDirectory();
        return HoldAsync();
    }

    /// <summary>Lets the node read no log until <see cref="Hear"/>; it keeps its lease, and it writes.</summary>
    public async Task HoldAsync()
    {
        lock (_gate)
        {
            _isHeld = true;
        }

        // With a record in each log the readers of all logs stand still, so that none reads that the node is declared dead.
        IRoomBackplane backplane = _backplane!;
        for (int shard = 0; shard < backplane.ShardCount; shard++)
        {
            Assert.Equal(PublishResult.Accepted, backplane.Publish(shard, new RoomRecord { Kind = NoKind }));
        }

        await Eventually.TrueAsync(() => Volatile.Read(ref _waiting) == readers);
    }

    /// <summary>Lets the node reach the directory again. A deaf node still reads no log.</summary>
    public void ReachDirectory() => _isDeaf = false;

    public void Hear()
    {
        lock (_gate)
        {
            _isDeaf = _isHeld = false;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Writes so many records of a kind and a size for a room.</summary>
    public async Task FloodAsync(long roomId, byte kind, int records, int bodyBytes)
    {
        IRoomBackplane backplane = _backplane!;
        var record = new RoomRecord { Kind = kind, RoomId = roomId, Body = new byte[bodyBytes] };
        for (int i = 0; i < records; i++)
        {
            await Eventually.TrueAsync(
                () => backplane.Publish(RoomShard.Of(roomId, backplane.ShardCount), in record) == PublishResult.Accepted);
        }
    }

    /// <summary>How many records of a kind the node has read or missed.</summary>
    public int CountOf(byte kind) => Volatile.Read(ref _read[kind]);

    public IClusterDirectory Wrap(IClusterDirectory directory) => new Directory(this, directory);

    public IRoomBackplane Wrap(IRoomBackplane backplane)
    {
        _backplane = backplane;
        return new Backplane(this, backplane);
    }

    private static TaskCompletionSource Hold(ref Task gate)
    {
        var mayContinue = new TaskCompletionSource();
        gate = mayContinue.Task;
        return mayContinue;
    }

    private void WaitUntilItHears()
    {
        lock (_gate)
        {
            _waiting++;
            while (_isHeld)
            {
                Monitor.Wait(_gate);
            }

            _waiting--;
        }
    }

    private sealed class Directory(NodeSwitch owner, IClusterDirectory inner) : IClusterDirectory
    {
        private IClusterDirectory Inner => owner.IsDead || owner._isDeaf ? throw new ClusterDirectoryException("Away.") : inner;

        public Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default) =>
            Run(() => Inner.RegisterAsync(nodeId, endpoint, cancellationToken));

        public Task<bool> RenewAsync(CancellationToken cancellationToken = default)
        {
            Interlocked.Increment(ref owner._renewals);
            return Run(() => Inner.RenewAsync(cancellationToken));
        }

        public Task DrainAsync(CancellationToken cancellationToken = default) => Inner.DrainAsync(cancellationToken);

        public Task UnregisterAsync(CancellationToken cancellationToken = default) =>
            owner.IsDead ? Task.CompletedTask : Inner.UnregisterAsync(cancellationToken);

        public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) =>
            Inner.GetNodesAsync(cancellationToken);

        public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
            Inner.GetLivesAsync(cancellationToken);

        public Task<JoinOutcome> JoinAsync(
            long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default) =>
            Inner.JoinAsync(roomId, member, maxMembers, cancellationToken);

        public Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default) =>
            Inner.LeaveAsync(roomId, userId, sessionId, cancellationToken);

        public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
            Inner.GetMembersAsync(roomId, cancellationToken);

        public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(
            long afterRoomId, int limit, CancellationToken cancellationToken = default) =>
            Inner.GetRoomsAsync(afterRoomId, limit, cancellationToken);

        public Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
            long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default) =>
            Inner.BindSessionAsync(userId, sessionId, maxSessions, cancellationToken);

        public Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default) =>
            Inner.UnbindSessionAsync(userId, sessionId, cancellationToken);

        public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
            Inner.FindSessionsAsync(userId, cancellationToken);

        public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default) =>
            Run(async () =>
            {
                Task mayAcquire = owner._mayAcquire;
                Interlocked.Increment(ref owner._questions);
                await mayAcquire;
                RecordOrigin? room = await Inner.AcquireRoomAsync(roomId, hasState, cancellationToken);
                Interlocked.Increment(ref owner._answers);
                return room;
            });

        public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default) =>
            Run(async () =>
            {
                Interlocked.Increment(ref owner._releases);
                await owner._mayRelease;
                return await Inner.ReleaseRoomAsync(roomId, isOver, cancellationToken);
            });

        public Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default) =>
            Run(() => Inner.SweepAsync(cancellationToken));

        public async Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default)
        {
            await Inner.ConfirmLostAsync(node, cancellationToken);
            Interlocked.Increment(ref owner._confirmations);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();

        private static async Task<T> Run<T>(Func<Task<T>> call) => await call();
    }

    private sealed class Backplane(NodeSwitch owner, IRoomBackplane inner) : IRoomBackplane
    {
        private readonly ConcurrentBag<(int Shard, IShardHandler Handler)> _handlers = [];

#pragma warning disable MA0046 // as the interface declares it
        public event Action<BackplaneState>? StateChanged
        {
            add => inner.StateChanged += value;
            remove => inner.StateChanged -= value;
        }
#pragma warning restore MA0046

        public int ShardCount => inner.ShardCount;

        public RecordOrigin Origin => inner.Origin;

        public BackplaneState State => inner.State;

        public PublishResult Publish(int shard, in RoomRecord record)
        {
            if (owner.IsDead || owner.IsRefused)
            {
                Interlocked.Increment(ref owner._refusals);
                return owner.IsDead ? PublishResult.Unavailable : PublishResult.Full;
            }

            if (record.Kind == RecordKind.Probe && Volatile.Read(ref owner._isHeld))
            {
                // A node that is held has read up to here a moment ago: it does not fence itself because the log were silent.
                foreach ((_, IShardHandler handler) in _handlers.Where(reader => reader.Shard == shard))
                {
                    handler.OnProbe(Origin);
                }
            }

            return inner.Publish(shard, in record);
        }

        public ValueTask<IAsyncDisposable> SubscribeAsync(
            int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken = default)
        {
            _handlers.Add((shard, handler));
            return inner.SubscribeAsync(shard, from, new Handler(owner, handler), cancellationToken);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    private sealed class Handler(NodeSwitch owner, IShardHandler inner) : IShardHandler
    {
        private bool _hasMissed; // only the log's reader uses it

        public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
        {
            owner.WaitUntilItHears();
            if (owner.Misses)
            {
                _hasMissed = true;
                Interlocked.Increment(ref owner._read[record.Kind]);
            }
            else if (!owner.IsDead)
            {
                if (_hasMissed)
                {
                    _hasMissed = false;
                    inner.OnGap(position, position, GapReason.Trimmed);
                }

                inner.OnRecord(in position, origin, in record);
                Interlocked.Increment(ref owner._read[record.Kind]);
            }
        }

        public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
        {
            owner.WaitUntilItHears();
            inner.OnGap(wanted, found, reason);
        }

        public void OnNodeDown(RecordOrigin origin)
        {
            owner.WaitUntilItHears();
            if (owner.Misses)
            {
                _hasMissed = true;
            }
            else if (!owner.IsDead)
            {
                inner.OnNodeDown(origin);
            }
        }

        public void OnBroadcast(RecordOrigin origin, in RoomRecord record)
        {
            owner.WaitUntilItHears();
            if (!owner.IsDead)
            {
                inner.OnBroadcast(origin, in record);
            }
        }

        public void OnProbe(RecordOrigin origin)
        {
            owner.WaitUntilItHears();
            if (!owner.IsDead)
            {
                inner.OnProbe(origin);
            }
        }
    }
}
