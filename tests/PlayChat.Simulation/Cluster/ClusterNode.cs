using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;

namespace PlayChat.Simulation.Cluster;

/// <summary>One start of a node: a server in a process of its own, with its network, its ways to the log and to the directory.</summary>
internal sealed class ClusterNode : WireServer<SharedRoom, SharedMember>
{
    private static readonly TimeSpan s_underWay = TimeSpan.FromSeconds(25); // longer than a link is under way to the server

    private readonly CountingPool _pool = new();
    private SimulatedBackplane? _backplane;
    private TimeSpan _troubledAt;
    private TimeSpan _ownTroubledAt;
    private bool _isCutFromLog;
    private bool _hasLeftHandlers;

    internal ClusterNode(ClusterWorld world, int id, ReadyQueue ready, Dice dice)
        : base(world)
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
        Server = CreateServer(7000 + id, Network, Clock, _pool, options => options.Sessions.ResumeWindow =
            plan.ResumeWindow < ClusterWorld.MaxResumeWindow ? plan.ResumeWindow : ClusterWorld.MaxResumeWindow)
            .UseLogging(log)
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
            });
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

    internal bool WritesLog => _backplane is { State: BackplaneState.Up };

    internal IEnumerable<SharedRoom> Rooms => Server.Rooms.All.OfType<SharedRoom>();

    /// <summary>Whether nothing has happened to this node alone for so long that it must have kept its lease.</summary>
    internal bool IsWell => World.Clock.Elapsed - _ownTroubledAt > (2 * World.Cluster.Lease) + TimeSpan.FromSeconds(5) && !IsInTrouble;

    /// <summary>Whether nothing has happened to this node or to what it needs for a lease.</summary>
    internal bool IsCalm => World.Clock.Elapsed - _troubledAt > World.Cluster.Lease && !IsInTrouble;

    private protected override PlayChatServer Server { get; }

    private bool IsInTrouble => Process.IsDead || Process.IsFrozen || !IsUp || IsCutFromLog || IsCutFromDirectory;

    public override string ToString() => $"node {Id}";

    internal void NoteTrouble() => _troubledAt = World.Clock.Elapsed;

    /// <summary>The stop does not wait for handlers that ignore their token, as those of joins do here.</summary>
    internal void NoteHandlersLeft()
    {
        _hasLeftHandlers = true;
        World.Count("stops that left handlers");
    }

    internal void NoteOwnTrouble() => _troubledAt = _ownTroubledAt = World.Clock.Elapsed;

    /// <summary>A reader of the node has missed batches.</summary>
    internal void NoteGap()
    {
        MissedAt = World.Clock.Elapsed;
        World.Count("gaps");
        World.Note($"{this}: is told of missing batches");
        NoteTrouble();
    }

    /// <summary>When a reader of the node has last missed batches; <see langword="null"/> if none has.</summary>
    internal TimeSpan? MissedAt { get; private set; }

    /// <summary>When the newest reader of the node began at the end of its log.</summary>
    internal TimeSpan ReadsFrom { get; set; }

    /// <summary>Whether a reader of the node has ever missed batches.</summary>
    internal bool HasGap => MissedAt is not null;

    /// <summary>Whether a node that had a state is as well now as it was then.</summary>
    internal bool HolderIsWell(ClusterHistory.Holder holder) =>
        !IsInTrouble && Origin == holder.Origin && _troubledAt < holder.At - TimeSpan.FromSeconds(1);

    internal bool HasState(long roomId) => Server.Rooms.Find(roomId) is SharedRoom { Role: RoomReplica { HasState: true } };

    /// <returns>What went wrong; <see langword="null"/> if it runs.</returns>
    internal async Task<Exception?> StartAsync()
    {
        try
        {
            await Server.StartAsync();
        }
        catch (Exception e)
        {
            Require(
                e is NodeIdInUseException or ClusterDirectoryException or NodeFencedException, "no fault", e.ToString());
            await Server.DisposeAsync();
            CheckEnded();
            return e;
        }

        IsUp = true;
        if (!World.Cluster.RemovesWhenEmpty)
        {
            for (int number = 0; number < World.Plan.RoomNames; number++)
            {
                GetRoom($"room {number}");
            }
        }

        return null;
    }

    /// <summary>Stops the node, which hands its rooms over.</summary>
    internal async Task StopAsync()
    {
        IsUp = false;
        NoteOwnTrouble();
        await Server.StopAsync();
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

    internal override void CheckBounds()
    {
        base.CheckBounds();
        if (_backplane is { } backplane)
        {
            Require(
                backplane.PendingBytes <= World.Cluster.PendingBytes, "bounds", $"{backplane.PendingBytes} bytes wait for the log");
            Require(
                backplane.Unconfirmed <= World.Cluster.MaxUnconfirmed * World.Cluster.Shards,
                "bounds",
                $"{backplane.Unconfirmed} batches are unconfirmed");
        }
    }

    internal override void CheckNothingLeft()
    {
        base.CheckNothingLeft();
        foreach (SharedRoom room in Rooms)
        {
            int members = room.MemberCount + (room.Owned?.MemberCount ?? 0);
            Require(members == 0, "no ghost member", $"{this}: room {room.Id} has {members} members");
            Require(
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

        if (_hasLeftHandlers)
        {
            World.Clock.After(s_underWay, CheckAllBack); // they return when their rooms have ended, at the same time as the stop or later
        }
        else
        {
            CheckAllBack();
        }

        World.Clock.After(s_underWay, () => Require(
            Network.Open.Count == 0, "links are let go", $"{this}: {Network.Open.Count} links are not disposed"));
    }

    private void CheckAllBack()
    {
        Require(_pool.InUse == 0, "buffers come back", $"{this}: {_pool.InUse} of {_pool.Rents} buffers are still rented");
        CheckEnds();
    }

    private protected override SharedRoom GetRoom(string name) =>
        Server.Rooms.Find<SharedRoom>(name) ?? Server.Rooms.Create(
            new RoomSettings
            {
                Name = name,
                IsClustered = true,
                RemoveWhenEmpty = World.Cluster.RemovesWhenEmpty,
                Capacity = World.Plan.Capacity,
            },
            context => new SharedRoom(context, this));

    private protected override void Map(PacketRouter router)
    {
        base.Map(router);
        router.MapRoomPacket<SharedRoom, SharedMember, Wire>(static (room, _, member, say) => room.OnSay(member, say), WirePacket.Say.Id);
    }

    private protected override async ValueTask LogInAsync(PacketContext context, Wire login)
    {
        Session? former = context.Sessions.Bind(context.Session, new SessionUser(login.A, $"user {login.A}"));
        former?.Connection.Close(CloseReason.TakenOver);
        ReadOnlyMemory<byte> token = await context.Sessions.IssueResumeTokenAsync(context.Session, World.Plan.CloseIsLeave);
        context.Reply(new Wire(0, 0, 0, token), WirePacket.LoggedIn);
    }

    private protected override ValueTask CheckAsync(PacketContext context, Wire check)
    {
        int isMember = context.Session.FindRoom<SharedRoom>(check.RoomId) is null ? 0 : 1;
        context.Reply(new Wire(check.RoomId, isMember, check.A, default), WirePacket.Checked);
        return default;
    }
}
