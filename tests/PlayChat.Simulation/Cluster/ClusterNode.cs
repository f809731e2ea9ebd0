using PlayChat.Cluster.Directory;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;

namespace PlayChat.Simulation.Cluster;

/// <summary>The server of one start of a node.</summary>
internal sealed class ClusterNode : WireServer<SharedRoom, SharedMember>, IFleetNode
{
    private readonly CountingPool _pool = new();
    private bool _hasLeftHandlers;

    internal ClusterNode(ClusterWorld world, Machine machine)
        : base(world)
    {
        World = world;
        Machine = machine;
        Plan plan = world.Plan;
        ClusterPlan cluster = world.Cluster;
        var log = new NodeLog(this);
        Server = CreateServer(7000 + machine.Id, machine.Network, machine.Clock, _pool, options => options.Sessions.ResumeWindow =
            plan.ResumeWindow < ClusterWorld.MaxResumeWindow ? plan.ResumeWindow : ClusterWorld.MaxResumeWindow)
            .UseLogging(log)
            .UseRoomCluster(new RoomClusterOptions
            {
                NodeId = machine.Id,
                Endpoint = $"node{machine.Id}",
                Directory = machine.Directory,
                CreateBackplane = origin => machine.CreateBackplane(origin, log),
                SnapshotInterval = cluster.SnapshotInterval,
                SweepInterval = cluster.SweepInterval,
                AnswerTimeout = cluster.AnswerTimeout,
                MaxRecordBytes = cluster.MaxRecordBytes,
            });
    }

    internal ClusterWorld World { get; }

    public Machine Machine { get; }

    internal IEnumerable<SharedRoom> Rooms => Server.Rooms.All.OfType<SharedRoom>();

    private protected override PlayChatServer Server { get; }

    public override string ToString() => $"{Machine}";

    /// <summary>The stop does not wait for handlers that ignore their token, as those of joins do here.</summary>
    internal void NoteHandlersLeft()
    {
        _hasLeftHandlers = true;
        World.Count("stops that left handlers");
    }

    internal bool HasState(long roomId) => Server.Rooms.Find(roomId) is SharedRoom { Role: RoomReplica { HasState: true } };

    public async Task<Exception?> StartAsync()
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

        Machine.NoteStarted();
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
    public async Task StopAsync()
    {
        Machine.NoteStops();
        await Server.StopAsync();
        CheckEnded();
    }

    /// <summary>Connects a client.</summary>
    /// <returns><see langword="null"/> if no server listens.</returns>
    internal SimulatedLink? Connect() => Machine.Process.IsDead ? null : Machine.Network.Connect();

    internal override void CheckBounds()
    {
        base.CheckBounds();
        Machine.CheckBounds();
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
        if (Machine.Process.IsDead)
        {
            return;
        }

        if (_hasLeftHandlers)
        {
            World.Clock.After(Machine.UnderWay, CheckAllBack); // they return when their rooms have ended, with the stop or later
        }
        else
        {
            CheckAllBack();
        }

        World.Clock.After(Machine.UnderWay, () => Require(
            Machine.Network.Open.Count == 0, "links are let go", $"{this}: {Machine.Network.Open.Count} links are not disposed"));
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
