using System.Net;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;

namespace PlayChat.Client.Tests;

/// <summary>A chat server in a few lines: rooms in memory, and rules that the test sets.</summary>
internal sealed class SmallChatServer : IAsyncDisposable
{
    private readonly PlayChatServer _server;
    private readonly object _gate = new();
    private readonly HashSet<Connection> _connections = [];
    private readonly Dictionary<Connection, Member> _players = [];
    private readonly SortedDictionary<long, SmallRoom> _rooms = [];
    private long _lastRoomId;
    private readonly List<(Member Player, List<SmallRoom> Rooms)> _away = [];
    private int _logins;

    private SmallChatServer()
    {
        _server = new PlayChatServer(options =>
            {
                options.StopTimeout = TimeSpan.Zero;
                options.ListenTcp("127.0.0.1:0");
            })
            .UsePackets(ChatPackets.All)
            .OnPackets(Map)
            .OnConnected(session => Enter(session.Connection))
            .OnDisconnected((session, _) => Leave(session.Connection));
    }

    public int Port => ((IPEndPoint)_server.EndPoints[0]).Port;

    /// <summary>Players that are connected.</summary>
    public int Players
    {
        get
        {
            lock (_gate)
            {
                return _players.Count;
            }
        }
    }

    /// <summary>Logins that were tried.</summary>
    public int Logins => Volatile.Read(ref _logins);

    /// <summary>Refuses a login; null lets everybody in.</summary>
    public Func<CLoginReq, SErrorNtf?>? RefuseLogin { get; set; }

    /// <summary>Names that have an account; null when every name has one.</summary>
    public HashSet<string>? Accounts { get; set; }

    /// <summary>Refuses a text; null lets everything be said.</summary>
    public Func<CRoomChatReq, SErrorNtf?>? RefuseChat { get; set; }

    /// <summary>Whether a direct message breaks its sender's connection, instead of being passed on.</summary>
    public bool FailsDirect { get; set; }

    /// <summary>Who loses the connection stays in its rooms and may resume.</summary>
    public bool CanResume { get; set; }

    /// <summary>What can be given to who resumes: everything, or nothing.</summary>
    public bool RemembersMissed { get; set; } = true;

    /// <summary>Messages that come with a join.</summary>
    public int HistoryOnJoin { get; set; } = 2;

    /// <summary>A gap that each page of history names; null for none.</summary>
    public HistoryGap? HistoryGap { get; set; }

    /// <summary>Members that a room takes.</summary>
    public int MaxMembers { get; set; } = 100;

    public static async Task<SmallChatServer> StartAsync()
    {
        var server = new SmallChatServer();
        await server._server.StartAsync();
        return server;
    }

    /// <summary>Makes a room that nobody is in.</summary>
    public long AddRoom(string name)
    {
        lock (_gate)
        {
            _rooms[++_lastRoomId] = new SmallRoom(_lastRoomId, name);
            return _lastRoomId;
        }
    }

    /// <summary>Counts the members of a room.</summary>
    public int MembersOf(long roomId)
    {
        lock (_gate)
        {
            return _rooms[roomId].Members.Count;
        }
    }

    /// <summary>Somebody who is no client says something.</summary>
    public void Say(long roomId, string name, string text)
    {
        lock (_gate)
        {
            _rooms[roomId].Tell(new SRoomChatNtf { PlayerId = 1000, PlayerName = name, Text = text });
        }
    }

    /// <summary>Closes everybody's connection, with a word before.</summary>
    public void CloseAll(CloseCode reason, string message, uint retryAfterMs = 0)
    {
        lock (_gate)
        {
            foreach (Connection connection in _connections.ToArray())
            {
                Leave(connection); // before the client hears of it, and is back
                connection.SendPacket(
                    new SCloseNtf { Reason = reason, Message = message, RetryAfterMs = retryAfterMs }, type: ChatPackets.SCloseNtf);
                connection.Close(CloseReason.LocalClose);
            }
        }
    }

    /// <summary>Breaks everybody's connection without a word.</summary>
    public void AbortAll()
    {
        lock (_gate)
        {
            foreach (Connection connection in _connections.ToArray())
            {
                Leave(connection); // before the client hears of it, and is back
                connection.Abort();
            }
        }
    }

    /// <summary>Gives a room a password.</summary>
    public void SetPassword(long roomId, string password)
    {
        lock (_gate)
        {
            _rooms[roomId].Kind.Password = password;
        }
    }

    /// <summary>Has no rooms any more, as after a restart.</summary>
    public void ForgetRooms()
    {
        lock (_gate)
        {
            _rooms.Clear();
        }
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static void Refuse(PacketContext context, ErrorCode code, string message) =>
        context.Reply(new SErrorNtf { Code = code, Message = message, PacketId = context.PacketId }, ChatPackets.SErrorNtf);

    private void Map(PacketRouter router)
    {
        router.MapPacket(Locked<CLoginReq>(LogIn));
        router.MapPacket(Locked<CCreateRoomReq>(Create));
        router.MapPacket(Locked<CJoinRoomReq>(Join));
        router.MapPacket(Locked<CListRoomsReq>(List));
        router.MapPacket(Locked<CListMembersReq>((context, request) => context.Reply(
            new SListMembersRes
            {
                Members = { _rooms[request.RoomId].Members.Values.Select(static one => new ListedMember { Member = one, Online = true }) },
            },
            ChatPackets.SListMembersRes)));
        router.MapPacket(Locked<CRoomChatReq>(Chat));
        router.MapPacket(Locked<CRoomHistoryReq>(Read));
        router.MapPacket(Locked<CDirectChatReq>(Pass));
        router.MapPacket(Locked<CResumeReq>(Resume));
        router.MapPacket(Locked<CLogoutNtf>((context, _) => CanResume = false));
        router.MapPacket<CHeartbeatNtf>(static (_, _) => { });
        router.MapPacket<CTypingNtf>(static (_, _) => { });
        router.MapPacket<CEchoReq>(static (context, request) =>
            context.Reply(new SEchoRes { Payload = request.Payload }, ChatPackets.SEchoRes));
        router.MapPacket(Locked<CLeaveRoomReq>(Leave));
    }

    private Action<PacketContext, TMessage> Locked<TMessage>(Action<PacketContext, TMessage> handler) => (context, message) =>
    {
        lock (_gate)
        {
            handler(context, message);
        }
    };

    private void LogIn(PacketContext context, CLoginReq request)
    {
        int id = Interlocked.Increment(ref _logins);
        if (RefuseLogin?.Invoke(request) is { } refusal)
        {
            Refuse(context, refusal.Code, refusal.Message);
            return;
        }

        if (Accounts?.Contains(request.Name) == false && request.NoRegistration)
        {
            Refuse(context, ErrorCode.NameUnknown, $"There is no account {request.Name}.");
            return;
        }

        if (request.NoTakeover && _players.Values.Any(player => player.Name == request.Name))
        {
            Refuse(context, ErrorCode.NameInUse, $"{request.Name} is logged in elsewhere.");
            return;
        }

        _players[context.Connection] = new Member { PlayerId = id, Name = request.Name };
        context.Reply(
            new SLoginRes
            {
                PlayerId = id,
                Name = request.Name,
                ResumeToken = CanResume ? ByteString.CopyFrom((byte)id) : ByteString.Empty
            },
            ChatPackets.SLoginRes);
    }

    private void Create(PacketContext context, CCreateRoomReq request)
    {
        SmallRoom room = _rooms[AddRoom(request.Name)];
        room.Kind = request;
        room.Members[context.Connection] = _players[context.Connection];
        context.Reply(
            new SCreateRoomRes { RoomId = room.Id, Name = room.Name, Members = { room.Members.Values } }, ChatPackets.SCreateRoomRes);
    }

    private void Join(PacketContext context, CJoinRoomReq request)
    {
        if (!_rooms.TryGetValue(request.RoomId, out SmallRoom? room))
        {
            Refuse(context, ErrorCode.RoomNotFound, $"There is no room {request.RoomId}.");
        }
        else if (room.Kind.Password != request.Password && room.Kind.Password.Length > 0)
        {
            Refuse(context, ErrorCode.RoomPasswordRequired, "This room needs a password.");
        }
        else if (room.Members.Count >= MaxMembers)
        {
            Refuse(context, ErrorCode.RoomFull, "The room is full.");
        }
        else
        {
            Member member = _players[context.Connection];
            room.Announce(member);
            room.Members[context.Connection] = member;
            context.Reply(
                new SJoinRoomRes
                {
                    RoomId = room.Id,
                    Name = room.Name,
                    LatestSequence = room.Sequence,
                    Members = { room.Members.Values },
                    History = { room.Said.TakeLast(HistoryOnJoin) }
                },
                ChatPackets.SJoinRoomRes);
        }
    }

    private void List(PacketContext context, CListRoomsReq request) =>
        context.Reply(new SListRoomsRes
        {
            Rooms = { _rooms.Values.Where(room => IsListed(room, request)).Select(room => new RoomInfo
            {
                RoomId = room.Id,
                Name = room.Name,
                Members = (uint)room.Members.Count,
                MaxMembers = (uint)MaxMembers,
                Type = room.Kind.Type,
                Properties = { room.Kind.Properties },
                Terms = room.Kind.Password.Length == 0 ? null : new RoomTerms { HasPassword = true },
            }) },
        }, ChatPackets.SListRoomsRes);

    private static bool IsListed(SmallRoom room, CListRoomsReq request) =>
        (request.Type.Length == 0 || room.Kind.Type == request.Type) && request.Properties.All(room.Kind.Properties.Contains);

    private void Chat(PacketContext context, CRoomChatReq request)
    {
        if (RefuseChat?.Invoke(request) is { } refusal)
        {
            refusal.PacketId = context.PacketId;
            context.Reply(refusal, ChatPackets.SErrorNtf);
            return;
        }

        Member speaker = _players[context.Connection];
        if (!_rooms.TryGetValue(request.RoomId, out SmallRoom? room))
        {
            Refuse(context, ErrorCode.NotInRoom, "You are not in the room.");
            return;
        }

        room.Tell(new SRoomChatNtf { PlayerId = speaker.PlayerId, PlayerName = speaker.Name, Text = request.Text });
        context.Reply(
            new SRoomChatRes { RoomId = room.Id, Sequence = room.Sequence, ClientMessageId = request.ClientMessageId },
            ChatPackets.SRoomChatRes);
    }

    private void Pass(PacketContext context, CDirectChatReq request)
    {
        if (FailsDirect)
        {
            context.Connection.Abort();
            return;
        }

        Connection? receiver = _players.FirstOrDefault(player => player.Value.PlayerId == request.PlayerId).Key;
        if (receiver is null)
        {
            Refuse(context, ErrorCode.PlayerNotConnected, "The player is not connected.");
            return;
        }

        Member sender = _players[context.Connection];
        receiver.SendPacket(
            new SDirectChatNtf { PlayerId = sender.PlayerId, PlayerName = sender.Name, Text = request.Text, SentAtUnixMs = 1 },
            type: ChatPackets.SDirectChatNtf);
        context.Reply(new SDirectChatRes(), ChatPackets.SDirectChatRes);
    }

    private void Read(PacketContext context, CRoomHistoryReq request)
    {
        SRoomChatNtf[] before = [.. _rooms[request.RoomId].Said.Where(message => message.Sequence < request.BeforeSequence)];
        int limit = (int)request.Limit;
        context.Reply(
            new SRoomHistoryRes
            {
                RoomId = request.RoomId,
                Messages = { before.TakeLast(limit) },
                More = before.Length > limit,
                Complete = HistoryGap is null,
                Gaps = { HistoryGap is null ? [] : new[] { HistoryGap } }
            },
            ChatPackets.SRoomHistoryRes);
    }

    private void Resume(PacketContext context, CResumeReq request)
    {
        (Member player, List<SmallRoom> rooms) = _away.Single(away => away.Player.PlayerId == request.Token[0]);
        _away.RemoveAll(away => ReferenceEquals(away.Player, player));
        _players[context.Connection] = player;
        RoomPlace? place = request.Rooms.SingleOrDefault();
        SRoomChatNtf[] missed = place is null ? [] : [.. _rooms[place.RoomId].Said.Where(message => message.Sequence > place.LastSequence)];
        var answer = new SResumeRes { PlayerId = player.PlayerId, Name = player.Name, ResumeToken = request.Token };
        if (place is not null)
        {
            answer.Rooms.Add(new ResumedRoom
            {
                RoomId = place.RoomId,
                Member = true,
                Recovered = RemembersMissed,
                LatestSequence = _rooms[place.RoomId].Sequence,
                MissedMessages = (uint)missed.Length,
            });
        }

        context.Reply(answer, ChatPackets.SResumeRes);
        rooms.ForEach(room => room.Members[context.Connection] = player);
        if (!RemembersMissed && place is not null)
        {
            context.Connection.SendPacket(
                new SRoomStateNtf { RoomId = place.RoomId, LatestSequence = _rooms[place.RoomId].Sequence, Members = { player } },
                type: ChatPackets.SRoomStateNtf);
            return;
        }

        foreach (SRoomChatNtf message in missed)
        {
            context.Connection.SendPacket(message, type: ChatPackets.SRoomChatNtf);
        }
    }

    private void Leave(PacketContext context, CLeaveRoomReq request)
    {
        if (_rooms.TryGetValue(request.RoomId, out SmallRoom? room))
        {
            room.Remove(context.Connection);
        }

        context.Reply(new SLeaveRoomAck { RoomId = request.RoomId }, ChatPackets.SLeaveRoomAck);
    }

    private void Enter(Connection connection)
    {
        lock (_gate)
        {
            _connections.Add(connection);
        }
    }

    private void Leave(Connection connection)
    {
        lock (_gate)
        {
            _connections.Remove(connection);
            _players.Remove(connection, out Member? player);
            if (CanResume && player is not null)
            {
                _away.Add((player, [.. _rooms.Values.Where(room => room.Members.Remove(connection))]));
                return;
            }

            foreach (SmallRoom room in _rooms.Values)
            {
                room.Remove(connection);
            }
        }
    }
}
