using System.Buffers;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;
using PlayChat.Testing;

namespace PlayChat.Simulation;

/// <summary>The server of a world, with rooms that talk and a match queue, and with what it says about its tokens.</summary>
internal sealed class SimulatedServer : WireServer<ChatRoom, ChatMember>
{
    private const string QueueName = "queue";

    private readonly World _world;
    private readonly Dictionary<string, (Session Session, TimeSpan UsedAt)> _tokens = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _nextTokens = new(StringComparer.Ordinal); // by the token that was shown

    internal SimulatedServer(World world, CountingPool pool)
        : base(world)
    {
        _world = world;
        Server = CreateServer(
            7000, world.Network, world.Clock, pool, options => options.Connections.FramesPerSecond = world.Plan.FramesPerSecond);
        if (world.Plan.Queue is { } queue)
        {
            Server.AddRoom(QueueName, context => new WorldQueue(context, world, queue));
        }
    }

    private protected override PlayChatServer Server { get; }

    public override string ToString() => "server";

    internal Task StartAsync() => Server.StartAsync();

    internal Task StopAsync() => Server.StopAsync();

    /// <summary>Whether the server may refuse a token: it has issued no such token, the session ends, or the token was used long ago.
    /// </summary>
    internal bool MayRefuse(ReadOnlyMemory<byte> token) =>
        !_tokens.TryGetValue(Key(token), out (Session Session, TimeSpan UsedAt) issued)
        || issued.Session is { HasEnded: true } or { Resume.IsAway: false, Connection.CloseReason: not CloseReason.None }
        || _world.Clock.Elapsed - issued.UsedAt > _world.Plan.ResumeWindow;

    internal void ExpelSomebody(Dice dice)
    {
        ChatRoom[] rooms = [.. Server.Rooms.All.OfType<ChatRoom>().OrderBy(static room => room.Id)];
        if (rooms.Length > 0)
        {
            rooms[dice.Next(rooms.Length)].Post(static (ChatRoom room, Dice dice) => room.Expel(dice), dice);
        }
    }

    internal override void CheckBounds()
    {
        base.CheckBounds();
        foreach (ChatRoom room in Server.Rooms.All.OfType<ChatRoom>())
        {
            Require(!room.IsLeftOver, "no room leaks", $"room {room.Id} has no members and has not ended");
            Require(!room.IsStuck(), "liveness", $"room {room.Id} has jobs and runs none");
        }
    }

    internal override void CheckNothingLeft()
    {
        base.CheckNothingLeft();
        foreach (Room room in Server.Rooms.All)
        {
            Require(room.MemberCount == 0, "no ghost member", $"room {room.Id} has {room.MemberCount} members");
        }

        Require(!Server.Rooms.All.OfType<WorldMatch>().Any(), "liveness", "a match without players has not ended");
        Require(!Server.Rooms.All.OfType<ChatRoom>().Any(), "no room leaks", "a room without members has not ended");
        _world.Tickets.CheckAllEnded();
        foreach ((long id, RoomLog log) in _world.Judge.Rooms)
        {
            Require(log.Members.Count == 0, "no ghost member", $"room {id} believes in {log.Members.Count} members");
        }
    }

    /// <summary>When the stop completes, every room has ended.</summary>
    internal void CheckRoomsEnded()
    {
        foreach ((long id, RoomLog log) in _world.Judge.Rooms)
        {
            Require(log.HasEnded, "liveness", $"room {id} has not ended");
        }
    }

    private protected override void OnDisconnected(Session session, CloseReason reason)
    {
        base.OnDisconnected(session, reason);
        Require(
            reason != CloseReason.FrameTimeout
                || session.User is null or { Id: >= Attacks.FirstUser }
                || _world.Plan.Has(Faults.ClockSteps),
            "deadlines are the client's",
            $"session {session.Id} has sent its frame at once, and is closed for a frame that takes too long");
    }

    private protected override void OnSessionEnded(Session session, CloseReason reason)
    {
        _world.Count($"sessions ended as {reason}");
        _world.Note($"{this}: session {session.Id} ended as {reason}");
        base.OnSessionEnded(session, reason);
    }

    private protected override void Map(PacketRouter router)
    {
        base.Map(router);
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

    private protected override async ValueTask LogInAsync(PacketContext context, Wire login)
    {
        Session session = context.Session;
        var user = new SessionUser(login.A, $"user {login.A}");
        if (_world.Plan.TakesOver)
        {
            await context.Sessions.TakeOverAsync(session, user);
            _world.Judge.CheckHasLeft(member => member.User?.Id == user.Id && member != session);
        }
        else
        {
            context.Sessions.Bind(session, user)?.Connection.Close(CloseReason.TakenOver);
        }

        ReadOnlyMemory<byte> token = await context.Sessions.IssueResumeTokenAsync(session, _world.Plan.CloseIsLeave);
        _tokens[Key(token)] = (session, TimeSpan.MaxValue);
        context.Reply(new Wire(0, 0, 0, token), WirePacket.LoggedIn);
    }

    private protected override ChatRoom GetRoom(string name) => Server.Rooms.Find<ChatRoom>(name) ?? Server.Rooms.Create(
        new RoomSettings { Name = name, RemoveWhenEmpty = true, Capacity = _world.Plan.Capacity },
        context => new ChatRoom(context, _world));

    private protected override Task WorkAsync() => _world.WorkAsync();

    /// <summary>
    /// A token was shown, and the next one issued. A token that is shown again voids the one that was issued for it before.
    /// </summary>
    private protected override void OnResuming(ReadOnlyMemory<byte> shown, ReadOnlyMemory<byte> next)
    {
        (string key, string nextKey) = (Key(shown), Key(next));
        (Session session, TimeSpan usedAt) = _tokens[key];
        _tokens[key] = (session, usedAt < _world.Clock.Elapsed ? usedAt : _world.Clock.Elapsed);
        _tokens[nextKey] = (session, TimeSpan.MaxValue);
        if (_nextTokens.Remove(key, out string? former))
        {
            _tokens.Remove(former);
        }

        _nextTokens[key] = nextKey;
        _world.Interrupt();
    }

    private static string Key(ReadOnlyMemory<byte> token) => Convert.ToBase64String(token.Span);

    private protected override async ValueTask CheckAsync(PacketContext context, Wire check)
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
