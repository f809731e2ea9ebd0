using System.Buffers;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;
using PlayChat.Testing;

namespace PlayChat.Simulation;

/// <summary>The server of a world: Core's, with rooms that talk, and with what it says about its connections and sessions.</summary>
internal sealed class SimulatedServer
{
    private const string QueueName = "queue";

    private readonly World _world;
    private readonly PlayChatServer _server;
    private readonly List<Session> _sessions = [];
    private readonly Dictionary<string, (Session Session, TimeSpan UsedAt)> _tokens = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _nextTokens = new(StringComparer.Ordinal); // by the token that was shown
    private readonly HashSet<Session> _taken = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Connection> _connections = new(ReferenceEqualityComparer.Instance);
    private readonly QueuePlan? _queue;
    private int _connects;
    private int _disconnects;

    internal SimulatedServer(World world, CountingPool pool)
    {
        _world = world;
        Plan plan = world.Plan;
        _queue = plan.Queue;
        _server = new PlayChatServer(options =>
        {
            options.ListenTcp("127.0.0.1:7000");
            options.Connections.MaxOutboundBytes = plan.MaxOutboundBytes;
            options.Connections.SlowConsumer = plan.Waits ? SlowConsumerPolicy.Wait : SlowConsumerPolicy.Disconnect;
            options.Connections.FramesPerSecond = plan.FramesPerSecond;
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
        })
            .UsePackets(WirePacket.Set())
            .UseTransport(world.Network)
            .UseTime(world.Clock)
            .UsePool(pool)
            .OnConnected(OnConnected)
            .OnDisconnected(OnDisconnected)
            .OnSessionEnded(OnSessionEnded)
            .OnPackets(Map);
        if (_queue is { } queue)
        {
            _server.AddRoom(QueueName, context => new WorldQueue(context, world, queue));
        }
    }

    private SessionRegistry Sessions => _server.Sessions;

    internal Task StartAsync() => _server.StartAsync();

    internal Task StopAsync() => _server.StopAsync();

    /// <summary>Whether the server may refuse a token: it has issued no such token, the session ends, or the token was used long ago.
    /// </summary>
    internal bool MayRefuse(ReadOnlyMemory<byte> token) =>
        !_tokens.TryGetValue(Key(token), out (Session Session, TimeSpan UsedAt) issued)
        || issued.Session is { HasEnded: true } or { Resume.IsAway: false, Connection.CloseReason: not CloseReason.None }
        || _world.Clock.Elapsed - issued.UsedAt > _world.Plan.ResumeWindow;

    internal void ExpelSomebody(Dice dice)
    {
        ChatRoom[] rooms = [.. _server.Rooms.All.OfType<ChatRoom>().OrderBy(static room => room.Id)];
        if (rooms.Length > 0)
        {
            rooms[dice.Next(rooms.Length)].Post(static (ChatRoom room, Dice dice) => room.Expel(dice), dice);
        }
    }

    /// <summary>Every queue is within its bound at any time.</summary>
    internal void CheckBounds()
    {
        foreach (Room room in _server.Rooms.All)
        {
            _world.Judge.Require(
                room.Activity.QueuedJobs <= _world.Plan.QueueItems + (2 * _world.Plan.Clients) + 100,
                "bounds",
                $"room {room.Id} has {room.Activity.QueuedJobs} jobs");
            if (room is ChatRoom chat)
            {
                _world.Judge.Require(!chat.IsLeftOver, "no room leaks", $"room {room.Id} has no members and has not ended");
                _world.Judge.Require(!chat.IsStuck(), "liveness", $"room {room.Id} has jobs and runs none");
            }
        }

        _connections.RemoveWhere(static connection => connection.Closed.IsCompleted);
        foreach (Connection connection in _connections)
        {
            int bytes = connection.OutboundBytes;
            _world.Judge.Require(
                bytes <= Math.Max(_world.Plan.MaxOutboundBytes, Frames.MaxFrameBytes), "bounds", $"{bytes} bytes wait for a connection");
        }
    }

    /// <summary>When all clients have left for good, nothing of them is left.</summary>
    internal void CheckNothingLeft()
    {
        _world.Judge.Require(Sessions.Count == 0, "no session leaks", $"{Sessions.Count} sessions are left, {Sessions.AwayCount} away");
        _world.Judge.Require(_disconnects == _connects, "no connection leaks", $"{_connects - _disconnects} connections are left");
        foreach (Room room in _server.Rooms.All)
        {
            _world.Judge.Require(room.MemberCount == 0, "no ghost member", $"room {room.Id} has {room.MemberCount} members");
        }

        _world.Judge.Require(!_server.Rooms.All.OfType<WorldMatch>().Any(), "liveness", "a match without players has not ended");
        _world.Judge.Require(!_server.Rooms.All.OfType<ChatRoom>().Any(), "no room leaks", "a room without members has not ended");
        _world.Tickets.CheckAllEnded();
        foreach ((long id, RoomLog log) in _world.Judge.Rooms)
        {
            _world.Judge.Require(log.Members.Count == 0, "no ghost member", $"room {id} believes in {log.Members.Count} members");
        }
    }

    /// <summary>When the server has stopped, every session and every connection has had its one end.</summary>
    internal void CheckEnds()
    {
        foreach (Session session in _sessions)
        {
            int expected = _taken.Contains(session) ? 0 : 1;
            int ends = _world.Judge.EndsOf(session);
            _world.Judge.Require(ends == expected, "one end", $"a session has {ends} ends instead of {expected}");
        }

        _world.Judge.Require(_disconnects == _connects, "one end", $"{_connects} connections have {_disconnects} ends");
    }

    /// <summary>When the stop completes, every room has ended.</summary>
    internal void CheckRoomsEnded()
    {
        foreach ((long id, RoomLog log) in _world.Judge.Rooms)
        {
            _world.Judge.Require(log.HasEnded, "liveness", $"room {id} has not ended");
        }
    }

    private void OnConnected(Session session)
    {
        _sessions.Add(session);
        _connections.Add(session.Connection);
        _connects++;
    }

    private void OnDisconnected(Session session, CloseReason reason)
    {
        _world.Count($"connections ended as {reason}");
        _world.Note($"server: the connection of session {session.Id} ended as {reason}");
        _world.Judge.Require(reason != CloseReason.None, "one end", $"the connection of session {session.Id} ended without a reason");
        _world.Judge.Require(
            reason != CloseReason.FrameTimeout
                || session.User is null or { Id: >= Attacks.FirstUser }
                || _world.Plan.Has(Faults.ClockSteps),
            "deadlines are the client's",
            $"session {session.Id} has sent its frame at once, and is closed for a frame that takes too long");
        _disconnects++;
    }

    private void OnSessionEnded(Session session, CloseReason reason)
    {
        _world.Count($"sessions ended as {reason}");
        _world.Note($"server: session {session.Id} ended as {reason}");
        _world.Judge.NoteEnd(session, "one end");
    }

    private void Map(PacketRouter router)
    {
        router.RequireLogin = true;
        router.OnNoRoom = static (context, room) => context.Reply(new Wire(room, context.PacketId, 0, default), WirePacket.NoRoom);
        router.MapPacket<Wire>(LogInAsync, WirePacket.Login.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(ResumeAsync, WirePacket.Resume.Id).AllowBeforeLogin();
        router.MapPacket<Wire>(
            async (context, _) =>
            {
                await _world.WorkAsync();
                await context.Sessions.ConfirmResumeAsync(context.Connection);
            },
            WirePacket.Confirm.Id);
        router.MapPacket<Wire>(JoinAsync, WirePacket.Join.Id);
        router.MapPacket<Wire>(LeaveAsync, WirePacket.Leave.Id);
        router.MapPacket<Wire>(LogOutAsync, WirePacket.Logout.Id);
        router.MapPacket<Wire>(CheckAsync, WirePacket.Check.Id);
        router.MapPacket<Wire>(
            static (_, _) => throw new InvalidOperationException("A handler of the world fails."), WirePacket.Throw.Id);
        router.MapPacket<Wire>(PostFrame, WirePacket.SayFrame.Id);
        router.MapRoomPacket<ChatRoom, ChatMember, Wire>(static (room, _, member, say) => room.OnSay(member, say), WirePacket.Say.Id);
        MapQueue(router);
    }

    private void MapQueue(PacketRouter router)
    {
        router.MapPacket<Wire>(FindAsync, WirePacket.Find.Id);
        router.MapPacket<Wire>(RejoinAsync, WirePacket.Rejoin.Id);
        router.MapPacket<Wire>(WhereAmI, WirePacket.WhereAmI.Id);
        router.MapRoomPacket<WorldQueue, MatchPlayer<Wire>, Wire>(
            static (queue, _, player, _) => queue.OnCancel(player), WirePacket.Cancel.Id);
        router.MapRoomPacket<WorldQueue, MatchPlayer<Wire>, Wire>(
            static (queue, _, player, answer) => queue.OnAnswer(player, answer), WirePacket.Answer.Id);
        router.MapRoomPacket<WorldMatch, WorldMatch.Player, Wire>(
            static (match, _, player, _) => match.OnGiveUp(player), WirePacket.GiveUp.Id);
    }

    private async ValueTask FindAsync(PacketContext context, Wire find)
    {
        _ = find;
        int ticket = _world.Tickets.Add(context.Session);
        JoinResult<MatchPlayer<Wire>> result = await context.Rooms.Get<WorldQueue>(QueueName)
            .JoinAsync(context.Session, new Wire(0, (int)context.Session.User!.Id, ticket, default));
        if (!result.IsJoined)
        {
            _world.Tickets.End(ticket, result.Status.ToString());
        }

        context.Reply(new Wire(0, (int)result.Status, ticket, default), WirePacket.Found);
    }

    private static async ValueTask RejoinAsync(PacketContext context, Wire rejoin)
    {
        JoinStatus result = context.Rooms.Find(rejoin.RoomId) is WorldMatch match
            ? (await match.JoinAsync(context.Session, rejoin.Bytes)).Status
            : JoinStatus.Removed;
        context.Reply(new Wire(rejoin.RoomId, (int)result, rejoin.B, default), WirePacket.Rejoined);
    }

    /// <summary>The answer comes from the room, behind what that has told the session before.</summary>
    private static async ValueTask WhereAmI(PacketContext context, Wire question)
    {
        Session session = context.Session;
        bool isAnswered = session.FindRoom<WorldMatch>() is { } match
            ? await match.PostAsync(room => room.OnPlace(session, question.B))
            : session.FindRoom<WorldQueue>() is { } queue && await queue.PostAsync(room => room.OnPlace(session, question.B));
        if (!isAnswered)
        {
            context.Reply(new Wire(0, 0, question.B, default), WirePacket.Placed);
        }
    }

    private static ValueTask PostFrame(PacketContext context, Wire say)
    {
        if (context.Session.FindRoom<ChatRoom>(say.RoomId) is not { } room)
        {
            context.Reply(new Wire(say.RoomId, 0, 0, default), WirePacket.NoRoom);
            return default;
        }

        byte[] body = new byte[WirePacket.SayFrame.GetBodyBytes(say)];
        say.Write(body);
        FrameData frame = FrameData.OfBody(new ReadOnlySequence<byte>(body), new FrameHeader(WirePacket.SayFrame.Id));
        ValueTask<bool> posting = room.PostFrameAsync(context.Session, new Frame(ref frame));
        return posting.IsCompletedSuccessfully && posting.Result ? default : AwaitAsync(posting, context, say);

        static async ValueTask AwaitAsync(ValueTask<bool> posting, PacketContext context, Wire say)
        {
            if (!await posting)
            {
                context.Reply(new Wire(say.RoomId, 0, 0, default), WirePacket.NoRoom);
            }
        }
    }

    private async ValueTask LogInAsync(PacketContext context, Wire login)
    {
        Session session = context.Session;
        var user = new SessionUser(login.A, $"user {login.A}");
        if (_world.Plan.TakesOver)
        {
            await context.Sessions.TakeOverAsync(session, user);
            CheckHasLeft(member => member.User?.Id == user.Id && member != session);
        }
        else
        {
            context.Sessions.Bind(session, user)?.Connection.Close(CloseReason.TakenOver);
        }

        ReadOnlyMemory<byte> token = await context.Sessions.IssueResumeTokenAsync(session, _world.Plan.CloseIsLeave);
        _tokens[Key(token)] = (session, TimeSpan.MaxValue);
        context.Reply(new Wire(0, 0, 0, token), WirePacket.LoggedIn);
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
                NoteResume(Key(resume.Bytes), Key(resumption.Token));
                _world.Interrupt();
                context.Reply(new Wire(0, 1, 0, resumption.Token), WirePacket.Resumed);
                await _world.WorkAsync();
            },
            resume.RoomId < 0 ? null : resume.RoomId);
        if (resumption is null)
        {
            context.Reply(new Wire(0, 0, 0, default), WirePacket.Resumed);
        }
    }

    private async ValueTask JoinAsync(PacketContext context, Wire join)
    {
        string name = $"room {join.A}";
        ChatRoom room = context.Rooms.Find<ChatRoom>(name) ?? context.Rooms.Create(
            new RoomSettings { Name = name, RemoveWhenEmpty = true, Capacity = _world.Plan.Capacity },
            made => new ChatRoom(made, _world));
        JoinResult<ChatMember> result = await room.JoinAsync(context.Session);
        _world.Count($"joins: {result.Status}");
        context.Reply(new Wire(room.Id, (int)result.Status, 0, default), WirePacket.Joined);
    }

    private async ValueTask LeaveAsync(PacketContext context, Wire leave)
    {
        bool wasMember = context.Session.FindRoom<ChatRoom>(leave.RoomId) is { } room && await room.LeaveAsync(context.Session);
        context.Reply(new Wire(leave.RoomId, wasMember ? 1 : 0, 0, default), WirePacket.Left);
    }

    private async ValueTask LogOutAsync(PacketContext context, Wire logout)
    {
        _ = logout;
        await context.Sessions.EndAsync(context.Session);
        CheckHasLeft(member => member == context.Session);
        context.Reply(new Wire(0, 0, 0, default), WirePacket.LoggedOut);
        context.Connection.Close();
    }

    /// <summary>
    /// A token was shown, and the next one issued. A token that is shown again voids the one that was issued for it before.
    /// </summary>
    private void NoteResume(string shown, string next)
    {
        (Session session, TimeSpan usedAt) = _tokens[shown];
        _tokens[shown] = (session, usedAt < _world.Clock.Elapsed ? usedAt : _world.Clock.Elapsed);
        _tokens[next] = (session, TimeSpan.MaxValue);
        if (_nextTokens.Remove(shown, out string? former))
        {
            _tokens.Remove(former);
        }

        _nextTokens[shown] = next;
    }

    private static string Key(ReadOnlyMemory<byte> token) => Convert.ToBase64String(token.Span);

    private void CheckHasLeft(Func<Session, bool> isGone)
    {
        foreach ((long id, RoomLog log) in _world.Judge.Rooms)
        {
            _world.Judge.Require(
                !log.Members.Values.Any(isGone),
                "an end waits for the rooms",
                $"room {id} has a member whose session was said to have left");
        }
    }

    private async ValueTask CheckAsync(PacketContext context, Wire check)
    {
        if (context.Rooms.Find(check.RoomId) is ChatRoom room
            && await room.PostAsync(
                static (ChatRoom room, Tuple<Session, int> asked) => room.OnCheck(asked.Item1, asked.Item2),
                Tuple.Create(context.Session, check.A)))
        {
            return;
        }

        context.Reply(new Wire(check.RoomId, 0, check.A, default), WirePacket.Checked);
    }
}
