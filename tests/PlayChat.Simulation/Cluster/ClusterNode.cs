using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;

namespace PlayChat.Simulation.Cluster;

/// <summary>One start of a node: a server in a process of its own, with its network, its ways to the log and to the directory.</summary>
internal sealed class ClusterNode
{
    private static readonly TimeSpan s_underWay = TimeSpan.FromSeconds(25); // longer than a link is under way to the server

    private readonly CountingPool _pool = new();
    private readonly PlayChatServer _server;
    private readonly HashSet<Connection> _connections = new(ReferenceEqualityComparer.Instance);
    private readonly List<Session> _sessions = [];
    private readonly HashSet<Session> _taken = new(ReferenceEqualityComparer.Instance);
    private SimulatedBackplane? _backplane;
    private TimeSpan _troubledAt;
    private TimeSpan _ownTroubledAt;
    private bool _isCutFromLog;
    private int _connects;
    private int _disconnects;

    internal ClusterNode(ClusterWorld world, int id, ReadyQueue ready, Dice dice)
    {
        World = world;
        Id = id;
        Plan plan = world.Plan;
        ClusterPlan cluster = world.Cluster;
        Process = new NodeProcess(ready);
        Clock = new NodeClock(world.Clock, Process);
        Network = new SimulatedNetwork(dice.Split(), world.Clock, Process)
        {
            Readiness = plan.Readiness,
            LinkBytes = plan.LinkBytes,
            Enter = Process.Enter,
        };
        NoteOwnTrouble(); // it has just started
        Dice logDice = dice.Split();
        var directory = new SimulatedDirectory(this, world.Directory, cluster, dice.Split());
        var log = new NodeLog(this);
        _server = new PlayChatServer(options =>
        {
            options.ListenTcp($"127.0.0.1:{7000 + id}");
            options.Connections.MaxOutboundBytes = plan.MaxOutboundBytes;
            options.Connections.SlowConsumer = plan.Waits ? SlowConsumerPolicy.Wait : SlowConsumerPolicy.Disconnect;
            options.Connections.SilentAfter = plan.SilentAfter;
            options.Connections.SendTimeout = TimeSpan.FromSeconds(20);
            options.Connections.FrameTimeout = TimeSpan.FromSeconds(10);
            options.Rooms.QueueItems = plan.QueueItems;
            options.Rooms.QueueBytes = 4096;
            options.Rooms.MaxItemsPerTurn = plan.MaxItemsPerTurn;
            options.Rooms.FlushInterval = plan.FlushInterval;
            options.Sessions.LoginTimeout = TimeSpan.FromSeconds(15);
            options.Sessions.IdleTimeout = TimeSpan.FromSeconds(40);
            options.Sessions.HeartbeatInterval = TimeSpan.FromSeconds(10);
            options.Sessions.ResumeWindow = plan.ResumeWindow < ClusterWorld.MaxResumeWindow
                ? plan.ResumeWindow
                : ClusterWorld.MaxResumeWindow;
            options.Sessions.ReplayBytes = plan.ReplayBytes;
        })
            .UsePackets(WirePacket.Set())
            .UseTransport(Network)
            .UseTime(Clock)
            .UseLogging(log)
            .UsePool(_pool)
            .UseRoomCluster(new RoomClusterOptions
            {
                NodeId = id,
                Endpoint = $"node{id}",
                Directory = directory,
                CreateBackplane = origin =>
                {
                    Origin = origin;
                    NoteOwnTrouble();
                    return _backplane = new SimulatedBackplane(this, world.Log, cluster, origin, logDice.Split(), log);
                },
                SnapshotInterval = cluster.SnapshotInterval,
                SweepInterval = cluster.SweepInterval,
                AnswerTimeout = cluster.AnswerTimeout,
                MaxRecordBytes = cluster.MaxRecordBytes,
            })
            .OnConnected(OnConnected)
            .OnDisconnected(OnDisconnected)
            .OnSessionEnded((session, _) => world.Judge.NoteEnd(session, "one end"))
            .OnPackets(Map);
    }

    internal ClusterWorld World { get; }

    internal int Id { get; }

    internal NodeProcess Process { get; }

    internal NodeClock Clock { get; }

    internal SimulatedNetwork Network { get; }

    /// <summary>The present life, by the directory.</summary>
    internal RecordOrigin Origin { get; private set; }

    /// <summary>Whether it has started, and does not stop.</summary>
    internal bool IsUp { get; private set; }

    internal bool IsCutFromDirectory { get; private set; }

    internal bool IsCutFromLog => _isCutFromLog;

    /// <summary>Whether the present life has its log, so that it has not ended.</summary>
    internal bool HasLog => _backplane is { State: not BackplaneState.Down };

    internal IEnumerable<SharedRoom> Rooms => _server.Rooms.All.OfType<SharedRoom>();

    /// <summary>Whether nothing has happened to this node alone for so long that it must have kept its lease.</summary>
    internal bool IsWell => World.Clock.Elapsed - _ownTroubledAt > (2 * World.Cluster.Lease) + TimeSpan.FromSeconds(5) && !IsInTrouble;

    /// <summary>Whether nothing has happened to this node or to what it needs for a lease.</summary>
    internal bool IsCalm => World.Clock.Elapsed - _troubledAt > World.Cluster.Lease && !IsInTrouble;

    private bool IsInTrouble => Process.IsDead || Process.IsFrozen || !IsUp || IsCutFromLog || IsCutFromDirectory;

    public override string ToString() => $"node {Id}";

    internal void NoteTrouble() => _troubledAt = World.Clock.Elapsed;

    internal void NoteOwnTrouble() => _troubledAt = _ownTroubledAt = World.Clock.Elapsed;

    /// <summary>A reader of the node has missed batches.</summary>
    internal void NoteGap()
    {
        HasGap = true;
        World.Count("gaps");
        World.Note($"{this}: misses batches");
        NoteTrouble();
    }

    /// <summary>Whether the node has ever missed batches.</summary>
    internal bool HasGap { get; private set; }

    /// <summary>Whether a node that had a state is as well now as it was then.</summary>
    internal bool HolderIsWell(ClusterHistory.Holder holder) =>
        !IsInTrouble && Origin == holder.Origin && _troubledAt < holder.At - TimeSpan.FromSeconds(1);

    internal bool HasState(long roomId) => _server.Rooms.Find(roomId) is SharedRoom { Role: RoomReplica { HasState: true } };

    /// <returns>What went wrong; <see langword="null"/> if it runs.</returns>
    internal async Task<Exception?> StartAsync()
    {
        try
        {
            await _server.StartAsync();
        }
        catch (Exception e)
        {
            World.Judge.Require(
                e is NodeIdInUseException or ClusterDirectoryException or NodeFencedException, "no fault", e.ToString());
            await _server.DisposeAsync();
            CheckEnded();
            return e;
        }

        IsUp = true;
        if (!World.Cluster.RemovesWhenEmpty)
        {
            for (int number = 0; number < World.Plan.RoomNames; number++)
            {
                FindRoom(number);
            }
        }

        return null;
    }

    /// <summary>Stops the node, which hands its rooms over.</summary>
    internal async Task StopAsync()
    {
        IsUp = false;
        NoteOwnTrouble();
        await _server.StopAsync();
        CheckEnded();
    }

    internal void Kill()
    {
        IsUp = false;
        Process.Kill();
        if (_backplane is { } backplane)
        {
            World.Log.Remove(backplane);
        }

        foreach (SimulatedLink link in Network.Open.ToArray())
        {
            link.Abort();
        }
    }

    internal void Freeze()
    {
        NoteOwnTrouble();
        Process.Freeze();
    }

    internal void WakeUp()
    {
        NoteOwnTrouble();
        Process.WakeUp();
    }

    internal void CutFromLog(bool isCut, bool isNoticed)
    {
        NoteOwnTrouble();
        _isCutFromLog = isCut;
        if (!isCut)
        {
            _backplane?.OnReachable();
        }
        else if (isNoticed)
        {
            _backplane?.Break();
        }
    }

    internal void CutFromDirectory(bool isCut)
    {
        NoteOwnTrouble();
        IsCutFromDirectory = isCut;
    }

    internal void BreakLog() => _backplane?.Break();

    /// <summary>Connects a client.</summary>
    /// <returns><see langword="null"/> if no server listens.</returns>
    internal SimulatedLink? Connect() => Process.IsDead ? null : Network.Connect();

    /// <summary>Every queue is within its bound at any time.</summary>
    internal void CheckBounds()
    {
        Judge judge = World.Judge;
        foreach (SharedRoom room in Rooms)
        {
            judge.Require(
                room.Activity.QueuedJobs <= World.Plan.QueueItems + (2 * World.Plan.Clients) + 100,
                "bounds",
                $"room {room.Id} has {room.Activity.QueuedJobs} jobs");
        }

        _connections.RemoveWhere(static connection => connection.Closed.IsCompleted);
        foreach (Connection connection in _connections)
        {
            int bytes = connection.OutboundBytes;
            judge.Require(
                bytes <= Math.Max(World.Plan.MaxOutboundBytes, Frames.MaxFrameBytes), "bounds", $"{bytes} bytes wait for a connection");
        }

        if (_backplane is { } backplane)
        {
            judge.Require(
                backplane.PendingBytes <= World.Cluster.PendingBytes, "bounds", $"{backplane.PendingBytes} bytes wait for the log");
            judge.Require(
                backplane.Unconfirmed <= World.Cluster.MaxUnconfirmed * World.Cluster.Shards,
                "bounds",
                $"{backplane.Unconfirmed} batches are unconfirmed");
        }
    }

    /// <summary>When all clients have left for good, nothing of them is left.</summary>
    internal void CheckNothingLeft()
    {
        World.Judge.Require(_server.Sessions.Count == 0, "no session leaks", $"{this} has {_server.Sessions.Count} sessions");
        World.Judge.Require(_disconnects == _connects, "no connection leaks", $"{this} has {_connects - _disconnects} connections");
        foreach (SharedRoom room in Rooms)
        {
            int members = room.MemberCount + (room.Owned?.MemberCount ?? 0);
            World.Judge.Require(members == 0, "no ghost member", $"{this}: room {room.Id} has {members} members");
            World.Judge.Require(
                !World.Cluster.RemovesWhenEmpty, "liveness", $"{this}: room {room.Id} has not ended although it is empty");
        }
    }

    /// <summary>When the server has stopped, nothing of it is left.</summary>
    private void CheckEnded()
    {
        if (Process.IsDead)
        {
            return;
        }

        World.Judge.Require(_pool.InUse == 0, "buffers come back", $"{this}: {_pool.InUse} of {_pool.Rents} buffers are still rented");
        World.Clock.After(s_underWay, () => World.Judge.Require(
            Network.Open.Count == 0, "links are let go", $"{this}: {Network.Open.Count} links are not disposed"));
        World.Judge.Require(_disconnects == _connects, "one end", $"{this}: {_connects} connections have {_disconnects} ends");
        foreach (Session session in _sessions)
        {
            int expected = _taken.Contains(session) ? 0 : 1;
            int ends = World.Judge.EndsOf(session);
            World.Judge.Require(ends == expected, "one end", $"{this}: a session has {ends} ends instead of {expected}");
        }
    }

    private SharedRoom FindRoom(int number)
    {
        string name = $"room {number}";
        return _server.Rooms.Find<SharedRoom>(name) ?? _server.Rooms.Create(
            new RoomSettings
            {
                Name = name,
                IsClustered = true,
                RemoveWhenEmpty = World.Cluster.RemovesWhenEmpty,
                Capacity = World.Plan.Capacity,
            },
            context => new SharedRoom(context, this));
    }

    private void OnConnected(Session session)
    {
        _sessions.Add(session);
        _connections.Add(session.Connection);
        _connects++;
    }

    private void OnDisconnected(Session session, CloseReason reason)
    {
        World.Count($"connections ended as {reason}");
        World.Note($"{this}: the connection of session {session.Id} ended as {reason}");
        World.Judge.Require(reason != CloseReason.None, "one end", $"the connection of session {session.Id} ended without a reason");
        _disconnects++;
    }

    private void Map(PacketRouter router)
    {
        router.RequireLogin = true;
        router.OnNoRoom = static (context, room) => context.Reply(new Wire(room, context.PacketId, 0, default), WirePacket.NoRoom);
        router.MapPacket<Wire>(LogInAsync, WirePacket.Login.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(ResumeAsync, WirePacket.Resume.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(
            static async (context, _) => await context.Sessions.ConfirmResumeAsync(context.Connection), WirePacket.Confirm.Id);
        router.MapPacket<Wire>(JoinAsync, WirePacket.Join.Id);
        router.MapPacket<Wire>(LeaveAsync, WirePacket.Leave.Id);
        router.MapPacket<Wire>(LogOutAsync, WirePacket.Logout.Id);
        router.MapPacket<Wire>(Check, WirePacket.Check.Id);
        router.MapRoomPacket<SharedRoom, SharedMember, Wire>(static (room, _, member, say) => room.OnSay(member, say), WirePacket.Say.Id);
    }

    private async ValueTask LogInAsync(PacketContext context, Wire login)
    {
        Session? former = context.Sessions.Bind(context.Session, new SessionUser(login.A, $"user {login.A}"));
        former?.Connection.Close(CloseReason.TakenOver);
        ReadOnlyMemory<byte> token = await context.Sessions.IssueResumeTokenAsync(context.Session, World.Plan.CloseIsLeave);
        context.Reply(new Wire(0, 0, 0, token), WirePacket.LoggedIn);
    }

    private async ValueTask ResumeAsync(PacketContext context, Wire resume)
    {
        Session own = context.Session;
        Resumption? resumption = await context.Sessions.ResumeAsync(
            context.Connection,
            resume.Bytes,
            resumption =>
            {
                _taken.Add(own);
                context.Reply(new Wire(0, 1, 0, resumption.Token), WirePacket.Resumed);
                return default;
            },
            resume.RoomId < 0 ? null : resume.RoomId);
        if (resumption is null)
        {
            context.Reply(new Wire(0, 0, 0, default), WirePacket.Resumed);
        }
    }

    private async ValueTask JoinAsync(PacketContext context, Wire join)
    {
        SharedRoom room = FindRoom(join.A);
        JoinResult<SharedMember> result = await room.JoinAsync(context.Session);
        World.Count($"joins: {result.Status}");
        context.Reply(new Wire(room.Id, (int)result.Status, 0, default), WirePacket.Joined);
    }

    private static async ValueTask LeaveAsync(PacketContext context, Wire leave)
    {
        bool wasMember = context.Session.FindRoom<SharedRoom>(leave.RoomId) is { } room && await room.LeaveAsync(context.Session);
        context.Reply(new Wire(leave.RoomId, wasMember ? 1 : 0, 0, default), WirePacket.Left);
    }

    private static ValueTask Check(PacketContext context, Wire check)
    {
        int isMember = context.Session.FindRoom<SharedRoom>(check.RoomId) is null ? 0 : 1;
        context.Reply(new Wire(check.RoomId, isMember, check.A, default), WirePacket.Checked);
        return default;
    }

    private static async ValueTask LogOutAsync(PacketContext context, Wire logout)
    {
        _ = logout;
        await context.Sessions.EndAsync(context.Session);
        context.Reply(new Wire(0, 0, 0, default), WirePacket.LoggedOut);
        context.Connection.Close();
    }
}
