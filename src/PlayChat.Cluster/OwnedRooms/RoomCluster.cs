using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Keeps a server in the cluster with which it shares rooms: renews its lease, buries nodes that have ended, and begins another
/// life after a fence. Thread-safe.</summary>
internal sealed class RoomCluster : IRoomCluster, IServerPart
{
    /// <summary>The most bytes of records that wait for a room's turn. A room that is behind further drops them and asks the owner for its
    /// state.</summary>
    internal const long MaxInboxBytes = 16 << 20;

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_startTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_handOverTimeout = TimeSpan.FromSeconds(5);

    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ConcurrentDictionary<long, RoomReplica> _replicas = new();
    private readonly ConcurrentDictionary<ClusterSender, bool> _refused = new(); // those whose records the log has refused
    private readonly NodeSweep _sweep;
    private readonly CancellationTokenSource _stopping = new();
    private volatile ClusterLife? _life;
    private volatile bool _isStopping;
    private long _lastJoin;
    private Task _running = Task.CompletedTask;

    internal RoomCluster(RoomClusterOptions options, RunningServer server)
    {
        Options = options;
        ProxyServices = CreateProxyServices(server, options.MaxRecordBytes);
        Sessions = server.Sessions;
        _time = server.Time;
        _logger = server.Logger;
        Tenures = new RoomTenures(this);
        _sweep = new NodeSweep(options.Directory, _time, _logger);
        server.RoomCluster = this;
    }

    internal RoomClusterOptions Options { get; }

    internal RoomTenures Tenures { get; }

    /// <summary>What the connections of members have in common at the owner.</summary>
    internal ConnectionServices ProxyServices { get; }

    /// <summary>The sessions of this node. Those that have logged in get the broadcasts of all nodes.</summary>
    internal SessionRegistry Sessions { get; }

    internal TimeProvider Time => _time;

    internal ILogger Logger => _logger;

    internal IEnumerable<RoomReplica> Replicas => _replicas.Select(static entry => entry.Value);

    /// <summary>The node's life, while it has a place in the cluster.</summary>
    internal ClusterLife? Life => _life is { IsFenced: false } life ? life : null;

    /// <summary>Whether the node takes over rooms.</summary>
    internal bool IsStopping => _isStopping;

    /// <summary>Whether the node's part in the cluster ends.</summary>
    internal bool HasStopped => _stopping.IsCancellationRequested;

    /// <summary>The id has less than 54 bits, so that JavaScript reads it, and the highest of them is set: no registry counts up to
    /// it.</summary>
    public long IdOf(string name)
    {
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(name));
        return (1L << 52) | (BinaryPrimitives.ReadInt64LittleEndian(hash) & ((1L << 52) - 1));
    }

    public RoomRole CreateReplica(long roomId, Func<RoomRole, Room> makeOwned) => new RoomReplica(this, roomId, makeOwned);

    /// <summary>The number of the node's next join.</summary>
    internal long NextJoin() => Interlocked.Increment(ref _lastJoin);

    internal RoomReplica? Find(long roomId) => _replicas.GetValueOrDefault(roomId);

    internal void Add(RoomReplica replica)
    {
        _replicas[replica.RoomId] = replica;
        Life?.TellBegun(replica);
    }

    /// <summary>Flushes a sender soon, because the log has refused its records.</summary>
    internal void Retry(ClusterSender sender) => _refused.TryAdd(sender, true);

    /// <summary>Whether a packet of a room fits into a record; logs that it is dropped if it does not. Thread-safe.</summary>
    internal bool HasPlaceFor(int bodyBytes, Room room)
    {
        int most = Options.MaxRecordBytes - ClusterOutbox.MaxOverhead;
        if (bodyBytes > most)
        {
            SharedRoomLog.PacketTooLarge(_logger, room.Id, room.Name, bodyBytes, most);
        }

        return bodyBytes <= most;
    }

    internal void Forget(RoomReplica replica) => _replicas.TryRemove(new(replica.RoomId, replica));

    /// <summary>Registers the node and begins to read the logs.</summary>
    /// <exception cref="ClusterDirectoryException">The directory or the log does not answer.</exception>
    /// <exception cref="NodeIdInUseException">A live node has the id.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        ClusterLife life = await BeginAsync(cancellationToken).ConfigureAwait(false);
        // The ids of sessions then differ on all nodes, so a room can tell its members apart.
        Connection.ContinueAfter(life.Origin.Incarnation << 32);
        _running = Task.Run(() => RunAsync(life), CancellationToken.None);
    }

    /// <summary>Gives up the rooms that this node owns, with their last states, if the log and the directory answer. The members
    /// stay.</summary>
    public async Task HandOverAsync(CancellationToken cancellationToken)
    {
        _isStopping = true;
        using var timeout = new CancellationTokenSource(s_handOverTimeout, _time);
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
            SharedRoomLog.ClusterFault(_logger, "The rooms of this node were not handed over in time.");
        }
    }

    /// <summary>Ends the node's part in the cluster. Its rooms must have ended.</summary>
    public async ValueTask DisposeAsync()
    {
        _isStopping = true;
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        if (_life is { } life)
        {
            bool wasFenced = life.IsFenced;
            await life.DisposeAsync().ConfigureAwait(false);
            if (!wasFenced)
            {
                await UnregisterAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends a life: its rooms end here, and their members' connections are closed.</summary>
    internal void Fence(ClusterLife life, string why)
    {
        if (life.TryFence())
        {
            SharedRoomLog.NodeFenced(_logger, life.Origin.NodeId, life.Origin.Incarnation, why);
        }
    }

    /// <summary>Asks the directory for the owner of a room, and lets the room know.</summary>
    internal async Task AcquireAsync(RoomReplica replica, ClusterLife life, bool hasState)
    {
        RecordOrigin? owner = null;
        try
        {
            // The directory would take the question of an ended life for one of the present life, which has no state.
            owner = life.IsFenced
                ? null
                : await Options.Directory.AcquireRoomAsync(replica.RoomId, hasState, _stopping.Token).ConfigureAwait(false);
        }
        catch (NodeFencedException)
        {
            Fence(life, "its lease has ended");
        }
        catch (Exception e)
        {
            NoteDirectoryFault(e); // the room asks again
        }

        replica.Enqueue(new ClusterEntry(life, ClusterEntryKind.Named, owner ?? default, []));
    }

    /// <summary>Waits for the time between two looks, or until the node's part in the cluster ends.</summary>
    internal Task WaitForLookAsync() => WaitAsync(s_look);

    /// <summary>Lets another node own a room. Tries until the directory has done it, or the node's place in the cluster ends, which frees
    /// the room as well.</summary>
    internal async Task ReleaseAsync(long roomId, ClusterLife life, bool isOver)
    {
        while (!_stopping.IsCancellationRequested && !life.IsFenced)
        {
            try
            {
                await Options.Directory.ReleaseRoomAsync(roomId, isOver, _stopping.Token).ConfigureAwait(false);
                return;
            }
            catch (NodeFencedException)
            {
                return;
            }
            catch (Exception e)
            {
                NoteDirectoryFault(e);
                await WaitAsync(s_pause).ConfigureAwait(false);
            }
        }
    }

    private static ConnectionServices CreateProxyServices(RunningServer server, int maxFrameBytes)
    {
        ConnectionServices own = server.ConnectionServices;
        var proxies = new ConnectionServices
        {
            Format = FrameFormat.Packet(maxFrameBytes),
            Packets = own.Packets,
            Outlet = own.Outlet,
            Handler = new ProxyHandler(),
            Options = own.Options,
            Pool = own.Pool,
            Metrics = own.Metrics,
            Time = own.Time,
            Logger = own.Logger,
        };
        proxies.Set(server.Rooms);
        proxies.Set(server.Sessions);
        return proxies;
    }

    private async Task UnregisterAsync()
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(2), _time);
        try
        {
            await Options.Directory.UnregisterAsync(patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is ClusterDirectoryException or OperationCanceledException or ObjectDisposedException)
        {
            NoteDirectoryFault(e); // the others take this node for lost when its lease has ended
        }
    }

    private async Task<ClusterLife> BeginAsync(CancellationToken cancellationToken)
    {
        NodeLease lease = await Options.Directory.RegisterWhenFreeAsync(
            Options.NodeId, Options.Endpoint, _logger, _time, cancellationToken).ConfigureAwait(false);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(s_startTimeout);
        var life = new ClusterLife(this, lease, Options.CreateBackplane(lease.Origin), _time);
        Task reading = life.ReadAsync(patience.Token);
        try
        {
            while (!reading.IsCompleted && lease.Duration != Timeout.InfiniteTimeSpan)
            {
                await Task.WhenAny(reading, Task.Delay(lease.Duration / 3.5, _time, patience.Token)).ConfigureAwait(false);
                if (!reading.IsCompleted && !await Options.Directory.RenewAsync(patience.Token).ConfigureAwait(false))
                {
                    throw new ClusterDirectoryException("The node has lost its lease while it read the log.");
                }
            }

            await reading.ConfigureAwait(false);
            var probe = new RoomRecord { Kind = (byte)ClusterEntryKind.Probe, Body = new byte[Options.MaxRecordBytes] };
            if (life.PublishTo(0, in probe) == PublishResult.TooLarge)
            {
                throw new InvalidOperationException(
                    $"The log takes no records of {Options.MaxRecordBytes} bytes, the {nameof(RoomClusterOptions.MaxRecordBytes)} of the "
                        + $"cluster. Raise {nameof(BackplaneOptions)}.{nameof(BackplaneOptions.MaxBodyBytes)}.");
            }
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            await AbandonAsync().ConfigureAwait(false);
            throw new ClusterDirectoryException(
                $"The cluster's log or directory did not answer within {s_startTimeout.TotalSeconds:0} seconds.", e);
        }
        catch
        {
            await AbandonAsync().ConfigureAwait(false);
            throw;
        }

        _life = life;
        SharedRoomLog.NodeBegun(_logger, lease.Origin.NodeId, lease.Origin.Incarnation);
        foreach (RoomReplica replica in Replicas)
        {
            life.TellBegun(replica);
        }

        return life;

        async Task AbandonAsync()
        {
            await patience.CancelAsync().ConfigureAwait(false);
            await reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // it still adds subscriptions to the life
            await life.DisposeAsync().ConfigureAwait(false);
            await UnregisterAsync().ConfigureAwait(false);
        }
    }

    private async Task RunAsync(ClusterLife life)
    {
        while (true)
        {
            await LiveAsync(life).ConfigureAwait(false);
            if (_stopping.IsCancellationRequested)
            {
                return;
            }

            await life.DisposeAsync().ConfigureAwait(false);
            _life = null;
            while (true)
            {
                try
                {
                    life = await BeginAsync(_stopping.Token).ConfigureAwait(false);
                    break;
                }
                catch (Exception e)
                {
                    if (_stopping.IsCancellationRequested)
                    {
                        return;
                    }

                    NoteDirectoryFault(e);
                    await WaitAsync(s_pause).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Renews the lease, buries dead nodes, and lets the rooms look, until the life ends.</summary>
    private async Task LiveAsync(ClusterLife life)
    {
        TimeSpan lease = life.Lease.Duration;
        bool hasEnd = lease != Timeout.InfiniteTimeSpan;
        long swept = _time.GetTimestamp();
        long tried = swept;
        long? missed = null; // when the node last had a lease that it could not renew
        life.NoteRenewed(swept);
        Task renewing = Task.CompletedTask;
        Task sweeping = Task.CompletedTask;
        while (!life.IsFenced && !_stopping.IsCancellationRequested)
        {
            await WaitAsync(s_look).ConfigureAwait(false);
            foreach (ClusterSender sender in _refused.Keys)
            {
                _refused.TryRemove(sender, out _);
                sender.Flush();
            }

            foreach (RoomReplica replica in Replicas)
            {
                if (replica.NeedsLook)
                {
                    replica.Look(life);
                }
            }

            TimeSpan age = life.LeaseAge;
            if (hasEnd && age > lease * 0.8 && !life.IsLogUp)
            {
                Fence(life, "it could not renew its lease in time, and the log does not answer");
                break;
            }

            missed = hasEnd && age > (lease / 2) + s_look ? _time.GetTimestamp() : missed;
            if (hasEnd && renewing.IsCompleted && age >= lease / 3.5 && _time.GetElapsedTime(tried) >= lease / 10)
            {
                tried = _time.GetTimestamp();
                renewing = RenewAsync(life);
                if (age > lease / 2)
                {
                    life.Probe();
                }
            }

            // The directory was away for the other nodes, too: they get the time to renew their leases.
            bool canSweep = missed is not { } since || _time.GetElapsedTime(since) > lease;
            if (canSweep && sweeping.IsCompleted && _time.GetElapsedTime(swept) >= Options.SweepInterval)
            {
                swept = _time.GetTimestamp();
                sweeping = SweepAsync(life);
            }
        }

        await Task.WhenAll(renewing, sweeping).ConfigureAwait(false);
    }

    private async Task RenewAsync(ClusterLife life)
    {
        long before = _time.GetTimestamp();
        try
        {
            if (await Options.Directory.RenewAsync(_stopping.Token).ConfigureAwait(false))
            {
                life.NoteRenewed(before);
            }
            else
            {
                Fence(life, "its lease has ended");
            }
        }
        catch (Exception e)
        {
            NoteDirectoryFault(e);
        }
    }

    private async Task SweepAsync(ClusterLife life)
    {
        try
        {
            await _sweep.RunAsync(life, _stopping.Token).ConfigureAwait(false);
        }
        catch (NodeFencedException)
        {
            Fence(life, "its lease has ended");
        }
        catch (Exception e)
        {
            NoteDirectoryFault(e); // the directory hands the lost node out again
        }
    }

    private void NoteDirectoryFault(Exception e)
    {
        if (!_stopping.IsCancellationRequested)
        {
            SharedRoomLog.ClusterFault(_logger, e.Message);
        }
    }

    private async Task WaitAsync(TimeSpan time) =>
        await Task.Delay(time, _time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
