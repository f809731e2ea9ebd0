using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;

namespace PlayChat.Simulation;

/// <summary>A server whose clients speak <see cref="WirePacket"/>s: Core's, with what it says about its connections and sessions.</summary>
/// <typeparam name="TRoom">The rooms that talk.</typeparam>
/// <typeparam name="TMember">Their members.</typeparam>
internal abstract class WireServer<TRoom, TMember>(SimulatedWorld world)
    where TRoom : Room<TMember>
    where TMember : RoomMember
{
    private readonly List<Session> _sessions = [];
    private readonly HashSet<Session> _taken = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Connection> _connections = new(ReferenceEqualityComparer.Instance);
    private int _connects;
    private int _disconnects;

    private protected abstract PlayChatServer Server { get; }

    /// <summary>Every queue is within its bound at any time.</summary>
    internal virtual void CheckBounds()
    {
        foreach (Room room in Server.Rooms.All)
        {
            Require(
                room.Activity.QueuedJobs <= world.Plan.QueueItems + (2 * world.Plan.Clients) + 100,
                "bounds",
                $"room {room.Id} has {room.Activity.QueuedJobs} jobs");
        }

        _connections.RemoveWhere(static connection => connection.Closed.IsCompleted);
        foreach (Connection connection in _connections)
        {
            int bytes = connection.OutboundBytes;
            Require(bytes <= Math.Max(world.Plan.MaxOutboundBytes, Frames.MaxFrameBytes), "bounds", $"{bytes} bytes wait for a connection");
        }
    }

    /// <summary>When all clients have left for good, nothing of them is left.</summary>
    internal virtual void CheckNothingLeft()
    {
        SessionRegistry sessions = Server.Sessions;
        Require(sessions.Count == 0, "no session leaks", $"{this} has {sessions.Count} sessions, {sessions.AwayCount} away");
        Require(_disconnects == _connects, "no connection leaks", $"{this} has {_connects - _disconnects} connections");
    }

    /// <summary>When the server has stopped, every session and every connection has had its one end.</summary>
    internal void CheckEnds()
    {
        foreach (Session session in _sessions)
        {
            int expected = _taken.Contains(session) ? 0 : 1;
            int ends = world.Judge.EndsOf(session);
            Require(ends == expected, "one end", $"{this}: a session has {ends} ends instead of {expected}");
        }

        Require(_disconnects == _connects, "one end", $"{this}: {_connects} connections have {_disconnects} ends");
    }

    private protected PlayChatServer CreateServer(
        int port, SimulatedNetwork network, TimeProvider time, CountingPool pool, Action<PlayChatOptions> configure)
    {
        Plan plan = world.Plan;
        return new PlayChatServer(options =>
        {
            options.ListenTcp($"127.0.0.1:{port}");
            options.StopTimeout = plan.StopTimeout;
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
            options.Sessions.ResumeWindow = plan.ResumeWindow;
            options.Sessions.ReplayBytes = plan.ReplayBytes;
            configure(options);
        })
            .UsePackets(WirePacket.Set())
            .UseTransport(network)
            .UseTime(time)
            .UsePool(pool)
            .OnConnected(OnConnected)
            .OnDisconnected(OnDisconnected)
            .OnSessionEnded(OnSessionEnded)
            .OnPackets(Map);
    }

    /// <summary>Gets the room of a name, and creates it if there is none.</summary>
    private protected abstract TRoom GetRoom(string name);

    private protected virtual void Map(PacketRouter router)
    {
        router.RequireLogin = true;
        router.OnNoRoom = static (context, room) => context.Reply(new Wire(room, context.PacketId, 0, default), WirePacket.NoRoom);
        router.MapPacket<Wire>(LogInAsync, WirePacket.Login.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(ResumeAsync, WirePacket.Resume.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(ConfirmAsync, WirePacket.Confirm.Id);
        router.MapPacket<Wire>(JoinAsync, WirePacket.Join.Id);
        router.MapPacket<Wire>(LeaveAsync, WirePacket.Leave.Id);
        router.MapPacket<Wire>(LogOutAsync, WirePacket.Logout.Id);
        router.MapPacket<Wire>(CheckAsync, WirePacket.Check.Id);
    }

    private protected abstract ValueTask LogInAsync(PacketContext context, Wire login);

    /// <summary>Tells a client whether it is a member of a room.</summary>
    private protected abstract ValueTask CheckAsync(PacketContext context, Wire check);

    /// <summary>A session has shown its token, and gets the next one.</summary>
    private protected virtual void OnResuming(ReadOnlyMemory<byte> shown, ReadOnlyMemory<byte> next)
    {
    }

    /// <summary>The application takes its time.</summary>
    private protected virtual Task WorkAsync() => Task.CompletedTask;

    private protected virtual void OnDisconnected(Session session, CloseReason reason)
    {
        world.Count($"connections ended as {reason}");
        world.Note($"{this}: the connection of session {session.Id} ended as {reason}");
        Require(reason != CloseReason.None, "one end", $"the connection of session {session.Id} ended without a reason");
        _disconnects++;
    }

    private protected virtual void OnSessionEnded(Session session, CloseReason reason) => world.Judge.NoteEnd(session, "one end");

    private protected void Require(bool holds, string rule, string details) => world.Judge.Require(holds, rule, details);

    private void OnConnected(Session session)
    {
        _sessions.Add(session);
        _connections.Add(session.Connection);
        _connects++;
    }

    private async ValueTask ResumeAsync(PacketContext context, Wire resume)
    {
        Session own = context.Session;
        Resumption? resumption = await context.Sessions.ResumeAsync(
            context.Connection,
            resume.Bytes,
            async resumption =>
            {
                _taken.Add(own);
                OnResuming(resume.Bytes, resumption.Token);
                context.Reply(new Wire(0, 1, 0, resumption.Token), WirePacket.Resumed);
                await WorkAsync();
            },
            resume.RoomId < 0 ? null : resume.RoomId);
        if (resumption is null)
        {
            context.Reply(new Wire(0, 0, 0, default), WirePacket.Resumed);
        }
    }

    private async ValueTask ConfirmAsync(PacketContext context, Wire confirm)
    {
        _ = confirm;
        await WorkAsync();
        await context.Sessions.ConfirmResumeAsync(context.Connection);
    }

    private async ValueTask JoinAsync(PacketContext context, Wire join)
    {
        TRoom room = GetRoom($"room {join.A}");
        JoinResult<TMember> result = await room.JoinAsync(context.Session);
        world.Count($"joins: {result.Status}");
        context.Reply(new Wire(room.Id, (int)result.Status, 0, default), WirePacket.Joined);
    }

    private static async ValueTask LeaveAsync(PacketContext context, Wire leave)
    {
        bool wasMember = context.Session.FindRoom<TRoom>(leave.RoomId) is { } room && await room.LeaveAsync(context.Session);
        context.Reply(new Wire(leave.RoomId, wasMember ? 1 : 0, 0, default), WirePacket.Left);
    }

    private async ValueTask LogOutAsync(PacketContext context, Wire logout)
    {
        _ = logout;
        await context.Sessions.EndAsync(context.Session);
        world.Judge.CheckHasLeft(member => member == context.Session);
        context.Reply(new Wire(0, 0, 0, default), WirePacket.LoggedOut);
        context.Connection.Close();
    }
}
