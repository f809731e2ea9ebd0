using Google.Protobuf;
using PlayChat.Core.Packets;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Model;

/// <summary>One sequence of operations, which its seed alone decides: each begins when all have heard of the one before.</summary>
/// <param name="seed">What is random.</param>
/// <param name="servers">One server, or a cluster.</param>
/// <param name="canResume">Whether a device may come back after a break.</param>
/// <param name="isWide">Whether players also write to each other alone, and rooms have capacities, passwords and slow mode.</param>
internal sealed class ModelRun(int seed, ModelServers servers, bool canResume, bool isWide)
{
    private const string Password = "open sesame";

    private static readonly string[] s_players = ["Ann", "Bob", "Cho", "Dan"];
    private static readonly string[] s_emojis = ["👍", "🎉"];
    private static readonly ModerationAction[] s_actions = [.. Enum.GetValues<ModerationAction>().Where(static action => action is not (
        ModerationAction.None or ModerationAction.RemoveRoom or ModerationAction.SetCapacity or ModerationAction.SetPassword))];

    private readonly Random _random = new(seed);
    private readonly RoomModel[] _rooms = [new("den"), new("hall")];
    private readonly ModelDevice[] _devices =
        [.. s_players.SelectMany(static player => new ModelDevice[] { new(player, "phone"), new(player, "laptop") })];

    private readonly Dictionary<string, long> _ids = []; // of the players
    private readonly List<string> _done = [];
    private DirectSteps? _steps;
    private ushort _requestId = 10_000; // above those of the client's own requests

    private RoomModel[] Open => [.. _rooms.Where(static room => room.Id > 0).OrderBy(static room => room.Id)];

    private DirectSteps Direct => _steps ??= new DirectSteps(this);

    private bool IsCluster => servers.Nodes.Count > 1;

    public ModelDevice[] Connected => Array.FindAll(_devices, static device => device.IsConnected);

    public async Task RunAsync(int operations)
    {
        try
        {
            for (int i = 0; i < operations; i++)
            {
                await (i < s_players.Length ? LoginAsync(_devices[2 * i])
                    : isWide && _random.Next(2) == 0 ? OperateWideAsync(_random.Next(100), Pick(_devices), Pick(_rooms))
                    : OperateAsync(_random.Next(100), Pick(_devices), Pick(_rooms)));
                foreach (ModelDevice device in Connected)
                {
                    foreach (RoomModel room in device.Rooms.Keys)
                    {
                        await device.HearAsync(room);
                    }
                }

                await servers.SettleAsync(Open, CountSessions, _ids.Values);
                if (i % 15 == 14)
                {
                    await CheckAsync();
                }
            }
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"Seed {seed}, operation {_done.Count}: {e.Message}\n{string.Join('\n', _done)}", e);
        }
        finally
        {
            await EndAsync(_devices);
        }
    }

    private int CountSessions(RoomModel room, TestServer node) =>
        _devices.Count(device => device.Node == node && device.Rooms.ContainsKey(room));

    private bool IsPresent(string player, RoomModel room) =>
        _devices.Any(device => device.Player == player && device.Rooms.ContainsKey(room));

    private T Pick<T>(IReadOnlyList<T> all) => all[_random.Next(all.Count)];

    private Task OperateAsync(int choice, ModelDevice device, RoomModel room) => choice switch
    {
        < 2 => ReplaceAsync(Pick(servers.Nodes)),
        _ when device.IsAway => ResumeAsync(device, Pick(servers.Nodes)),
        _ when !device.IsConnected => LoginAsync(device),
        < 6 => LogoutAsync(device),
        < 12 => BreakAsync(device),
        < 14 => CreateAsync(device, room),
        _ when room.Id == 0 => CreateAsync(device, room),
        < 17 => JoinAsync(device, room),
        < 75 when !device.Rooms.ContainsKey(room) => JoinAsync(device, room),
        < 21 => LeaveAsync(device, room),
        < 44 => SayAsync(device, room, $"text {_done.Count}{(_random.Next(3) > 0 ? $", @{Pick(s_players).ToUpperInvariant()}" : "")}"),
        _ when room.Messages.Length == 0 => Task.CompletedTask,
        < 54 => EditAsync(
            device, room, Pick([.. room.Messages.Where(said => said.Author == device.Player || _random.Next(3) == 0), room.Messages[^1]])),
        < 64 => ReactAsync(device, room, Pick(room.Messages), Pick(s_emojis)),
        < 74 when device.Rooms.ContainsKey(room) => ReadAsync(device, room, room.Messages[^1].Sequence),
        _ => ModerateAsync(Pick([.. Connected.Where(other => room.RoleOf(other.Player) > RoomRole.Member), device]), room),
    };

    private Task OperateWideAsync(int choice, ModelDevice device, RoomModel room)
    {
        string other = Pick([.. s_players.Where(player => player != device.Player)]);
        return choice switch
        {
            _ when !device.IsConnected || room.Id == 0 => OperateAsync(_random.Next(100), device, room),
            < 25 => Direct.WriteAsync(device, other, _random.Next(8)),
            < 35 => Direct.BlockAsync(device, other, unblock: _random.Next(3) == 0),
            < 43 => Direct.ReadAsync(device, other, _random.Next(5)),
            < 65 => SetDoorAsync(Pick([.. Connected.Where(one => room.RoleOf(one.Player) > RoomRole.Member), device]), room),
            < 85 => JoinAsync(device, room),
            _ => SayAsync(device, room, $"text {_done.Count}, @{other}"),
        };
    }

    /// <summary>Sets who enters a room, and how often its members speak. Each node of a cluster alone knows who has spoken there.</summary>
    private Task SetDoorAsync(ModelDevice device, RoomModel room) => ModerateAsync(device, room, _random.Next(IsCluster ? 5 : 7) switch
    {
        < 3 => new CModerateReq { RoomId = room.Id, Action = ModerationAction.SetCapacity, Capacity = Pick([0u, 2u, 3u]) },
        < 5 => new CModerateReq { RoomId = room.Id, Action = ModerationAction.SetPassword, Password = Pick(["", Password]) },
        _ => new CModerateReq { RoomId = room.Id, Action = ModerationAction.SetSlowMode, Seconds = Pick([0u, 3600u]) },
    });

    public long IdOf(string player) => _ids[player];

    public string NameOf(long playerId) => _ids.Single(one => one.Value == playerId).Key;

    public void Note(string done) => _done.Add($"{_done.Count + 1}. {done}");

    /// <summary>Sends a request. Its answer must be the expected one, or that the device is not in the room.</summary>
    public async Task<IMessage> AskAsync<TRequest>(
        ModelDevice device, PacketType<TRequest> type, TRequest request, ErrorCode expected, RoomModel? inside = null)
    {
        expected = inside is null || device.Rooms.ContainsKey(inside) ? expected : ErrorCode.NotInRoom;
        Note($"{device}: {typeof(TRequest).Name} {request}: {expected}");
        device.Client!.Send(type, request, ++_requestId);
        IMessage answer = await device.Client.NextAnswerAsync(_requestId);
        ErrorCode code = answer is SErrorNtf error ? error.Code : ErrorCode.None;
        bool isUnknown = code == ErrorCode.RoomNotFound && inside is not null && CountSessions(inside, device.Node!) == 0; // to this server
        Assert.Equal(expected, isUnknown ? ErrorCode.NotInRoom : code);
        return answer;
    }

    private async Task LoginAsync(ModelDevice device)
    {
        device.Node = Pick(servers.Nodes);
        Note($"{device} logs in at {servers.Nodes.IndexOf(device.Node)}");
        device.Client = await device.Node.ConnectAsync();
        SLoginRes login = await device.Client.LoginAsync(device.Player);
        device.Token = login.ResumeToken;
        _ids[device.Player] = login.PlayerId;
        foreach (RoomModel room in Open.Where(room => Array.Exists(
            _devices, other => other.Player == device.Player && other.Node == device.Node && other.Rooms.ContainsKey(room))))
        {
            await device.Client.NextAsync<SRoomEnteredNtf>(entered => entered.RoomId == room.Id);
        }
    }

    private async Task LogoutAsync(ModelDevice device)
    {
        Note($"{device} logs out");
        device.Client!.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await device.Client.Closed;
        await EndAsync(device);
    }

    private async Task BreakAsync(ModelDevice device)
    {
        Note($"{device} loses its connection");
        device.IsAway = canResume;
        if (canResume)
        {
            await Resuming.BreakAsync(device.Node!, device.Client!);
            return;
        }

        device.Client!.Connection.Abort();
        await device.Client.Closed;
        await EndAsync(device);
    }

    private async Task ResumeAsync(ModelDevice device, TestServer node)
    {
        Note($"{device} resumes at {servers.Nodes.IndexOf(node)}");
        RoomModel[] rooms = [.. device.Rooms.Keys, .. device.Lost];
        await device.Client!.DisposeAsync();
        device.Client = await node.ConnectAsync();
        SResumeRes resumed = await Resuming.ResumeAsync(
            device.Client, device.Token, [.. rooms.Select(room => (room.Id, device.Rooms.GetValueOrDefault(room).Seen))]);
        device.Client.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        Assert.False(resumed.Restored);
        Assert.Equal(rooms.Select(device.Rooms.ContainsKey), resumed.Rooms.Select(static told => told.Member));
        bool isElsewhere = device.Node != node;
        (device.Token, device.Node, device.IsAway) = (resumed.ResumeToken, node, false);
        device.Lost.Clear();
        foreach (ResumedRoom told in resumed.Rooms.Where(static told => told is { Member: true, Recovered: false }))
        {
            RoomModel room = rooms.Single(room => room.Id == told.RoomId);
            SRoomStateNtf state = await device.Client.NextAsync<SRoomStateNtf>(state => state.RoomId == told.RoomId);
            device.Rooms[room] = (room.Events.Count, state.LatestSequence);
        }

        foreach (ResumedRoom told in resumed.Rooms.Where(told => isElsewhere && told is { Member: true, Recovered: true }))
        {
            // With the members as that node knows them.
            await device.Client.NextAsync<SRoomStateNtf>(state => state.RoomId == told.RoomId);
        }
    }

    private async Task ReplaceAsync(TestServer old)
    {
        Note($"the server {servers.Nodes.IndexOf(old)} is replaced");
        await servers.ReplaceAsync(old);
        Array.ForEach(_rooms, static room => room.Restart());
        await EndAsync(Array.FindAll(_devices, device => device.Node == old));
    }

    /// <summary>The sessions of devices have ended.</summary>
    private async Task EndAsync(params ModelDevice[] ended)
    {
        var left = ended.SelectMany(static device => device.Rooms.Keys.Select(room => (Room: room, device.Player))).Distinct().ToArray();
        foreach (ModelDevice device in ended)
        {
            await device.DisposeAsync();
        }

        foreach ((RoomModel room, string player) in left.Where(one => !IsPresent(one.Player, one.Room)))
        {
            room.Events.Add(new EventModel { Told = $"* {player} is offline. -{player}", IsLoose = true });
        }
    }

    private async Task CreateAsync(ModelDevice device, RoomModel room)
    {
        ErrorCode expected = room.Id == 0 ? ErrorCode.None : ErrorCode.RoomNameTaken;
        if (await AskAsync(device, ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = room.Name }, expected) is SCreateRoomRes made)
        {
            (room.Id, room.Creator) = (made.RoomId, device.Player);
            await EnterAsync(device, room, made.LatestSequence, isFirst: true);
        }
    }

    private async Task JoinAsync(ModelDevice device, RoomModel room)
    {
        bool isFirst = !IsPresent(device.Player, room);
        int others = s_players.Count(player => player != device.Player && IsPresent(player, room));
        string password = room.Password.Length == 0 ? "" : Pick(["", "barley", Password, Password]);
        var join = new CJoinRoomReq { RoomId = room.Id, Password = password };
        ErrorCode expected = device.Rooms.ContainsKey(room) ? ErrorCode.AlreadyInRoom
            : room.JudgeJoin(device.Player, join.Password, others, !isFirst, IsCluster);
        if (await AskAsync(device, ChatPackets.CJoinRoomReq, join, expected) is SJoinRoomRes joined)
        {
            if (isFirst)
            {
                room.Events.Add(new EventModel
                {
                    Told = $"{device.Player} joins as {room.RoleOf(device.Player)}",
                    Sequence = joined.LatestSequence,
                });
            }

            await EnterAsync(device, room, joined.LatestSequence, isFirst);
            Assert.Equal(
                s_players.Where(player => IsPresent(player, room)).Select(player => (player, room.RoleOf(player))),
                joined.Members.Select(static one => (one.Name, one.Role)).Order());
            Assert.Equal((Show(room, device.Player), room.Terms), (Show(room, joined.Membership), RoomModel.Show(joined.Terms)));
            (string said, string shown) = room.Match(joined.History, joined.History.Count, device.Player);
            Assert.Equal(said, shown);
        }
    }

    private async Task EnterAsync(ModelDevice device, RoomModel room, long latest, bool isFirst)
    {
        room.Enter(device.Player);
        device.Rooms[room] = (room.Events.Count, latest);
        foreach (ModelDevice other in isFirst ? Connected.Where(other => other.Player == device.Player && other != device) : [])
        {
            await other.Client!.NextAsync<SRoomEnteredNtf>(told => told.RoomId == room.Id);
        }
    }

    private async Task LeaveAsync(ModelDevice device, RoomModel room)
    {
        var leave = new CLeaveRoomReq { RoomId = room.Id };
        if (await AskAsync(device, ChatPackets.CLeaveRoomReq, leave, ErrorCode.None, room) is SLeaveRoomAck)
        {
            room.Members.Remove(device.Player);
            device.Rooms.Remove(room);
            await TakeOutAsync(device.Player, room, $"You have left {room.Name} on another device.");
            room.Note($"{device.Player} has left the room.", $" -{device.Player}");
        }
    }

    /// <summary>A player is taken out of a room with all its devices.</summary>
    private async Task TakeOutAsync(string player, RoomModel room, string told)
    {
        foreach (ModelDevice device in _devices.Where(device => device.Player == player && device.Rooms.Remove(room)))
        {
            if (device.IsAway)
            {
                device.Lost.Add(room);
            }
            else
            {
                IMessage next = await device.Client!.NextAsync<IMessage>(packet => ModelDevice.Read(packet).RoomId == room.Id);
                Assert.Equal(told, Assert.IsType<SRoomLeftNtf>(next).Message);
            }
        }
    }

    private async Task SayAsync(ModelDevice device, RoomModel room, string text)
    {
        var said = new CRoomChatReq { RoomId = room.Id, Text = text };
        if (await AskAsync(device, ChatPackets.CRoomChatReq, said, room.JudgeSay(device.Player), room) is SRoomChatRes answer)
        {
            room.Say(device.Player, text, answer.Sequence, Direct.Model);
        }
    }

    private async Task EditAsync(ModelDevice device, RoomModel room, EventModel message)
    {
        var edit = new CEditMessageReq { RoomId = room.Id, Sequence = message.Sequence, Text = Pick(["", $"text {_done.Count}"]) };
        ErrorCode expected = room.JudgeEdit(device.Player, message, edit.Text);
        if (await AskAsync(device, ChatPackets.CEditMessageReq, edit, expected, room) is SEditMessageRes)
        {
            message.Text = edit.Text;
            room.Events.Add(new EventModel { Told = $"{device.Player} edits {message.Sequence}: {edit.Text}" });
        }
    }

    private async Task ReactAsync(ModelDevice device, RoomModel room, EventModel message, string emoji)
    {
        var react = new CReactReq { RoomId = room.Id, Sequence = message.Sequence, Emoji = emoji, Remove = _random.Next(3) == 0 };
        ErrorCode expected = room.JudgeReaction(device.Player, message, react.Remove);
        if (await AskAsync(device, ChatPackets.CReactReq, react, expected, room) is SReactRes
            && (react.Remove ? message.Reactions.Remove((emoji, device.Player)) : message.Reactions.Add((emoji, device.Player))))
        {
            string what = react.Remove ? "takes back" : "gives";
            room.Events.Add(new EventModel { Told = $"{device.Player} {what} {emoji} to {message.Sequence}" });
        }
    }

    private async Task ReadAsync(ModelDevice device, RoomModel room, long sequence)
    {
        Note($"{device} has read {room.Name} up to {sequence}");
        device.Client!.Send(ChatPackets.CReadMarkNtf, new CReadMarkNtf { RoomId = room.Id, Sequence = sequence });
        room.Members[device.Player].Read = Math.Max(sequence, room.Members[device.Player].Read);
        await device.Client.ReadHistoryAsync(room.Id); // now the room has the mark, too
    }

    private Task ModerateAsync(ModelDevice device, RoomModel room)
    {
        string target = Pick(s_players);
        return ModerateAsync(device, room, new CModerateReq
        {
            RoomId = room.Id,
            Action = Pick(s_actions),
            PlayerName = target,
            Role = (RoomRole)(_random.Next(7) / 3),
            Topic = Pick(s_emojis),
        });
    }

    private async Task ModerateAsync(ModelDevice device, RoomModel room, CModerateReq request)
    {
        string target = request.PlayerName;
        ErrorCode expected = room.JudgeModeration(device.Player, request, Direct.Model);
        if (await AskAsync(device, ChatPackets.CModerateReq, request, expected, room) is not SModerateRes)
        {
            return;
        }

        room.Moderate(device.Player, request, IsPresent(target, room));
        if (request.Action is ModerationAction.Kick or ModerationAction.Ban)
        {
            string did = request.Action == ModerationAction.Kick ? "removed" : "banned";
            await TakeOutAsync(target, room, $"{device.Player} {did} you from {room.Name}.");
        }

        foreach (ModelDevice invited in Connected.Where(other => request.Action == ModerationAction.Invite && other.Player == target))
        {
            Assert.Equal(room.Name, (await invited.Client!.NextAsync<SInvitedNtf>()).Membership.Name);
        }
    }

    private static string Show(RoomModel room, Membership told) =>
        $"{told.Name} {told.Role}, {told.UnreadMentions} mentions, {room.CountAfter(told.ReadSequence)} after";

    private static string Show(RoomModel room, string player)
    {
        RoomModel.MemberModel member = room.Members[player];
        int mentions = member.Mentions.Count(sequence => sequence > member.Read);
        return $"{room.Name} {member.Role}, {mentions} mentions, {room.CountAfter(member.Read)} after";
    }

    /// <summary>Reads everything anew.</summary>
    private async Task CheckAsync()
    {
        foreach ((ModelDevice device, RoomModel room) in Connected.SelectMany(static one => one.Rooms.Keys.Select(room => (one, room))))
        {
            string members = string.Join(", ", room.Members.Select(one =>
                $"{one.Key}={one.Value.Role} {IsPresent(one.Key, room)} {room.Muted.Contains(one.Key)}"));
            await EqualAsync(async () => (members, await ReadMembersAsync(device.Client!, room)));
            await EqualAsync(
                async () => room.Match(await device.Client!.ReadHistoryAsync(room.Id), room.Messages.Length, device.Player));
            while (IsCluster && device.Client!.CountWaiting<SRoomEnteredNtf>() > 0)
            {
                await device.Client.NextAsync<SRoomEnteredNtf>(); // again, when another device goes on at another node
            }

            await Direct.HearKnownAsync(device);
            Assert.Equal("", device.Client!.CountWaiting<IMessage>() > 0 ? $"{await device.Client.NextAsync<IMessage>()}" : "");
        }

        string rooms = string.Join("; ", Open.Select(room => $"{room.Name}: {s_players.Count(one => IsPresent(one, room))} {room.Terms}"));
        foreach (string player in s_players)
        {
            string all = string.Join("; ", Open.Where(room => room.Members.ContainsKey(player))
                .Select(room => $"{Show(room, player)}, {room.CountAfter(room.Members[player].Read, player)} unread").Append(rooms));
            await EqualAsync(async () =>
            {
                (string told, (string model, string direct)) = await ReadRoomsAsync(player);
                return ($"{all}\n{model}", $"{told}\n{direct}");
            });
        }
    }

    private static async Task EqualAsync(Func<Task<(string Model, string Told)>> read) =>
        await Eventually.GetAsync(read, static both => both.Model == both.Told, "the model is told");

    private static async Task<string> ReadMembersAsync(TestClient client, RoomModel room)
    {
        var list = new CListMembersReq { RoomId = room.Id };
        return string.Join(", ", (await client.AskAsync<CListMembersReq, SListMembersRes>(ChatPackets.CListMembersReq, list)).Members
            .Select(static one => $"{one.Member.Name}={one.Member.Role} {one.Online} {one.MutedUntilUnixMs > 0}"));
    }

    private async Task<(string Rooms, (string Model, string Told) Direct)> ReadRoomsAsync(string player)
    {
        await using TestClient client = await Pick(servers.Nodes).ConnectAsync();
        SLoginRes login = await client.LoginAsync(player);
        (string, string) direct = isWide ? await Direct.CheckAsync(client, player, login) : default;
        SListRoomsRes list = await client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
        client.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await client.Closed;
        string rooms = string.Join("; ", login.Memberships
            .Select(told => $"{Show(Open.Single(room => room.Id == told.RoomId), told)}, {told.Unread} unread")
            .Append(string.Join("; ", list.Rooms.Select(static room => $"{room.Name}: {room.Members} {RoomModel.Show(room.Terms)}"))));
        return (rooms, direct);
    }
}
