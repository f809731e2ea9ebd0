using System.Security.Cryptography;
using System.Text;
using PlayChat.Cluster.Broadcast;
using PlayChat.Cluster.Directory;
using PlayChat.Core.Hosting;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The part of a server that shares rooms with a cluster: its replicas, its tenures, and what they ask the directory.
/// Thread-safe.</summary>
internal sealed class RoomCluster : IRoomCluster, IServerPart, INodeService
{
    /// <summary>The most bytes of records that wait for a room's turn. A room that is behind further drops them and asks the owner for its
    /// state.</summary>
    internal const long MaxInboxBytes = 16 << 20;

    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_handOverTimeout = TimeSpan.FromSeconds(5);

    private readonly ConcurrentDictionary<long, RoomReplica> _replicas = new();
    private readonly ConcurrentQueue<ClusterSender> _refused = new(); // those whose records the log has refused, each once
    private readonly NodeMembership _membership;
    private readonly RoomRegistry _rooms;
    private readonly object _lifeGate = new(); // a replica is told of a life's beginning before it is told of its end
    private volatile bool _isStopping;
    private long _lastJoin;

    internal RoomCluster(RoomClusterOptions options, RunningServer server)
    {
        Options = options;
        ProxyServices = server.CreateStandIns(FrameFormat.Packet(options.MaxRecordBytes), server.ConnectionServices.Outlet);
        Sessions = server.Sessions;
        _rooms = server.Rooms;
        Time = server.Time;
        Logger = server.Logger;
        Tenures = new RoomTenures(this);
        _membership = new NodeMembership(this, options.Directory, options.SweepInterval, Time, Logger);
        server.RoomServices.Cluster = this;
    }

    internal RoomClusterOptions Options { get; }

    internal RoomTenures Tenures { get; }

    /// <summary>How many rooms each node runs.</summary>
    internal NodeLoads Loads { get; } = new();

    /// <summary>What the connections of members have in common at the owner.</summary>
    internal ConnectionServices ProxyServices { get; }

    /// <summary>The sessions of this node. Those that have logged in get the broadcasts of all nodes.</summary>
    internal SessionRegistry Sessions { get; }

    internal TimeProvider Time { get; }

    internal ILogger Logger { get; }

    internal IEnumerable<RoomReplica> Replicas => _replicas.Select(static entry => entry.Value);

    /// <summary>The node's life, while it has a place in the cluster.</summary>
    internal NodeLife? Life => _membership.Life;

    /// <summary>Whether the node takes over no more rooms.</summary>
    internal bool IsStopping => _isStopping;

    /// <summary>Whether the node's part in the cluster ends.</summary>
    internal bool HasStopped => _membership.Stopping.IsCancellationRequested;

    /// <summary>The id has less than 54 bits, so that JavaScript reads it, and the highest of them is set: no registry counts up to
    /// it.</summary>
    public long IdOf(string name)
    {
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(name));
        return (1L << 52) | (BinaryPrimitives.ReadInt64LittleEndian(hash) & ((1L << 52) - 1));
    }

    public RoomRole CreateReplica(long roomId, string? node, Func<RoomRole, Room> makeOwned) =>
        new RoomReplica(this, roomId, node, makeOwned);

    internal long NextJoin() => Interlocked.Increment(ref _lastJoin);

    internal RoomReplica? Find(long roomId) => _replicas.GetValueOrDefault(roomId);

    internal void Add(RoomReplica replica)
    {
        _replicas[replica.RoomId] = replica;
        if (Life is { } life)
        {
            TellBegun(life, replica);
        }
    }

    /// <summary>Calls <see cref="ClusterSender.Retry"/> soon, because the log has refused its records.</summary>
    internal void RetryLater(ClusterSender sender) => _refused.Enqueue(sender);

    /// <summary>Whether a packet of a room fits into a record; logs that it is dropped if it does not. Thread-safe.</summary>
    internal bool HasPlaceFor(int bodyBytes, Room room)
    {
        int most = Options.MaxRecordBytes - ClusterOutbox.MaxOverhead;
        if (bodyBytes > most)
        {
            SharedRoomLog.PacketTooLarge(Logger, room.Id, room.Name, bodyBytes, most);
        }

        return bodyBytes <= most;
    }

    internal void Forget(RoomReplica replica) => _replicas.TryRemove(new(replica.RoomId, replica));

    /// <summary>Registers the node and begins to read the logs.</summary>
    /// <exception cref="ClusterDirectoryException">The directory or the log does not answer.</exception>
    /// <exception cref="NodeIdInUseException">A live node has the id.</exception>
    public Task StartAsync(CancellationToken cancellationToken) =>
        _membership.JoinAsync(Options.NodeId, Options.Endpoint, cancellationToken);

    /// <summary>Gives up the rooms that this node owns, with their last states, if the log and the directory answer. The members
    /// stay.</summary>
    public async Task HandOverAsync(CancellationToken cancellationToken)
    {
        _isStopping = true;
        if (Life is { } life)
        {
            PublishLoad(life);
        }

        using var timeout = new CancellationTokenSource(s_handOverTimeout, Time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            await Task.WhenAll(Replicas.Select(replica => replica.HandOverAsync(patience.Token))).ConfigureAwait(false);
            // Those that have no replica any more as well.
            await Tenures.WhenEndedAsync().WaitAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Others take them over when the node is unregistered.
            SharedRoomLog.HandOverTimedOut(Logger);
        }
    }

    /// <summary>Ends the node's part in the cluster. Its rooms must have ended.</summary>
    public async ValueTask DisposeAsync()
    {
        _isStopping = true;
        await _membership.DisposeAsync().ConfigureAwait(false);
    }

    public IRoomBackplane CreateBackplane(RecordOrigin origin) => Options.CreateBackplane(origin);

    /// <summary>Begins to read all logs at their ends; completes when the node reads and writes each of them.</summary>
    public async Task BeginAsync(NodeLife life, CancellationToken cancellationToken)
    {
        // The ids of sessions then differ on all nodes, so a room can tell its members apart.
        Connection.ContinueAfter(life.Origin.Incarnation << 32);
        for (int shard = 0; shard < life.Backplane.ShardCount; shard++)
        {
            await life.SubscribeAsync(shard, SubscribeFrom.Tail, new RoomFeed(this, life, shard), cancellationToken).ConfigureAwait(false);
        }

        life.NoteLives(await Options.Directory.GetLivesAsync(cancellationToken).ConfigureAwait(false));
        life.Own(await Sessions.JoinClusterAsync(life.Backplane, cancellationToken).ConfigureAwait(false));
        var largest = new RoomRecord { Kind = RecordKind.Probe, Body = new byte[Options.MaxRecordBytes] };
        if (life.Backplane.Publish(shard: 0, in largest) == PublishResult.TooLarge)
        {
            throw new InvalidOperationException(
                $"The log takes no records of {Options.MaxRecordBytes} bytes, the {nameof(RoomClusterOptions.MaxRecordBytes)} of the "
                    + $"cluster. Raise {nameof(BackplaneOptions)}.{nameof(BackplaneOptions.MaxBodyBytes)}.");
        }
    }

    public void OnBegun(NodeLife life)
    {
        foreach (RoomReplica replica in Replicas)
        {
            TellBegun(life, replica);
        }
    }

    /// <summary>The rooms end here, and their members' connections are closed.</summary>
    public void OnFenced(NodeLife life)
    {
        lock (_lifeGate)
        {
            foreach (RoomReplica replica in Replicas)
            {
                replica.Enqueue(new ClusterEntry(life, ClusterEntryKind.Fenced, life.Origin, []));
            }
        }
    }

    public void OnLook(NodeLife life)
    {
        for (int left = _refused.Count; left > 0 && _refused.TryDequeue(out ClusterSender? sender); left--)
        {
            sender.Retry();
        }

        foreach (RoomReplica replica in Replicas)
        {
            if (replica.NeedsLook)
            {
                replica.Look(life);
            }
        }

        PublishLoad(life);
    }

    public Task EndAsync(NodeLife life) => Task.CompletedTask;

    /// <summary>Asks the directory for the owner of a room, and lets the room know.</summary>
    internal async Task AcquireAsync(RoomReplica replica, NodeLife life, bool hasState)
    {
        RecordOrigin? owner = null;
        var kind = ClusterEntryKind.Unanswered;
        try
        {
            // The directory would take the question of an ended life for one of the present life, which has no state.
            owner = life.IsFenced
                ? null
                : await Options.Directory.AcquireRoomAsync(replica.RoomId, hasState, _membership.Stopping).ConfigureAwait(false);
            kind = ClusterEntryKind.Named;
        }
        catch (NodeFencedException)
        {
            life.FenceWithoutLease();
        }
        catch (Exception e)
        {
            _membership.NoteFault(e); // the room asks again
        }

        replica.Enqueue(new ClusterEntry(life, kind, owner ?? default, []));
    }

    /// <summary>Waits for the time between two looks, or until the node's part in the cluster ends.</summary>
    internal Task WaitForLookAsync() => WaitAsync(NodeMembership.LookInterval);

    /// <summary>Lets another node own a room. Tries until the directory has done it, or the node's place in the cluster ends, which frees
    /// the room as well.</summary>
    internal async Task ReleaseAsync(long roomId, NodeLife life, bool isOver)
    {
        while (!HasStopped && !life.IsFenced)
        {
            try
            {
                await Options.Directory.ReleaseRoomAsync(roomId, isOver, _membership.Stopping).ConfigureAwait(false);
                return;
            }
            catch (NodeFencedException)
            {
                return;
            }
            catch (Exception e)
            {
                _membership.NoteFault(e);
                await WaitAsync(s_pause).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Tells all nodes how many rooms this one runs; a node that stops is none on which rooms are placed.</summary>
    private void PublishLoad(NodeLife life) => Loads.Publish(
        life, Options.Endpoint, _isStopping ? -1 : _rooms.Count - _replicas.Count + Tenures.Count, Options.SweepInterval, Time);

    /// <summary>Tells a room that the life has begun, unless it has ended.</summary>
    private void TellBegun(NodeLife life, RoomReplica replica)
    {
        lock (_lifeGate)
        {
            if (!life.IsFenced)
            {
                replica.Enqueue(new ClusterEntry(life, ClusterEntryKind.Begun, life.Origin, []));
            }
        }
    }

    private async Task WaitAsync(TimeSpan time) =>
        await Task.Delay(time, Time, _membership.Stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
