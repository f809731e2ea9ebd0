using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Sessions;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Protocol;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>The error codes that no other test makes happen, and what a peer is told at the end.</summary>
public sealed class ErrorTests
{
    [Fact]
    public async Task A_room_that_is_not_there_is_said_in_a_sentence_that_helps()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");

        SErrorNtf join = await kim.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = 5 });
        SErrorNtf leave = await kim.FailAsync(ChatPackets.CLeaveRoomReq, new CLeaveRoomReq { RoomId = -1 });

        Assert.Equal(ErrorCode.RoomNotFound, join.Code);
        Assert.Equal("There is no room 5. List the rooms to see which there are.", join.Message);
        Assert.Equal((uint)PacketId.CJoinRoomReq, join.PacketId);
        Assert.Equal(ErrorCode.RoomNotFound, leave.Code);
    }

    [Fact]
    public async Task Only_members_may_speak_and_leave_and_nobody_joins_twice()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Rooms:MaxMembers=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        SErrorNtf say = await lee.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "hi" });
        SErrorNtf leave = await lee.FailAsync(ChatPackets.CLeaveRoomReq, new CLeaveRoomReq { RoomId = roomId });
        SErrorNtf full = await lee.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId });
        SErrorNtf twice = await kim.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId });

        Assert.Equal(ErrorCode.NotInRoom, say.Code);
        Assert.Equal(ErrorCode.NotInRoom, leave.Code);
        Assert.Equal(ErrorCode.RoomFull, full.Code);
        Assert.Equal(ErrorCode.AlreadyInRoom, twice.Code);
    }

    [Fact]
    public async Task Too_many_rooms_are_refused()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:MaxRooms=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await kim.CreateAsync("one");

        SErrorNtf error = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "two" });

        Assert.Equal(ErrorCode.ServerFull, error.Code);
    }

    [Fact]
    public async Task Many_who_create_at_once_do_not_get_more_rooms_than_there_may_be_and_a_removed_one_makes_place()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:MaxRooms=3", TestServer.Fleeting);
        TestClient[] clients = await Task.WhenAll(Enumerable.Range(0, 12).Select(i => server.LoginAsync($"kim{i}")));
        foreach (TestClient client in clients)
        {
            client.Send(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "mine" }, requestId: 99);
        }

        var answers = await Task.WhenAll(clients.Select(client => client.NextAnswerAsync(99)));
        int first = Array.FindIndex(answers, answer => answer is SCreateRoomRes);
        await clients[first].LeaveAsync(((SCreateRoomRes)answers[first]).RoomId);
        await clients[first].CreateAsync("again");

        Assert.Equal(3, answers.Count(answer => answer is SCreateRoomRes));
        Assert.All(answers.OfType<SErrorNtf>(), error => Assert.Equal(ErrorCode.ServerFull, error.Code));
        foreach (TestClient client in clients)
        {
            await client.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_player_is_in_no_more_rooms_than_one_may_be_and_leaving_makes_place()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Rooms:MaxRoomsPerSession=2", TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long others = (await lee.CreateAsync("lee's")).RoomId;
        long mine = (await kim.CreateAsync("one")).RoomId;
        await kim.CreateAsync("two");

        SErrorNtf create = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "three" });
        SErrorNtf join = await kim.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = others });
        await kim.LeaveAsync(mine);
        await kim.JoinAsync(others);

        Assert.Equal(ErrorCode.ServerFull, create.Code);
        Assert.Equal("You are in 2 rooms, the most that one player may be in. Leave one first.", create.Message);
        Assert.Equal(ErrorCode.ServerFull, join.Code);
        Assert.Equal(2, server.Server.Rooms.Count);
    }

    [Fact]
    public async Task Unknown_and_malformed_packets_are_answered_after_login()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");

        kim.Connection.Send([], new FrameHeader(999));
        SErrorNtf unknown = await kim.NextAsync<SErrorNtf>();
        kim.Connection.Send([0xff], new FrameHeader((ushort)PacketId.CEchoReq));
        SErrorNtf malformed = await kim.NextAsync<SErrorNtf>();
        SErrorNtf page = await kim.FailAsync(ChatPackets.CListRoomsReq, new CListRoomsReq { Limit = 201 });
        SEchoRes echo = await kim.AskAsync<CEchoReq, SEchoRes>(
            ChatPackets.CEchoReq, new CEchoReq { Payload = Google.Protobuf.ByteString.CopyFromUtf8("hi") });

        Assert.Equal((ErrorCode.UnknownPacket, 999u), (unknown.Code, unknown.PacketId));
        Assert.Equal(ErrorCode.MalformedPacket, malformed.Code);
        Assert.Equal(ErrorCode.MalformedPacket, page.Code);
        Assert.Equal("hi", echo.Payload.ToStringUtf8());
    }

    [Fact]
    public async Task A_database_that_is_away_is_said_and_the_next_login_works_again()
    {
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartInAsync(null, services => store.Wrap(services));
        await using TestClient client = await server.ConnectAsync();

        store.Fault = new StorageException(StorageErrorKind.Busy, "locked");
        SErrorNtf away = await client.FailLoginAsync("kim");
        store.Fault = null;
        await client.LoginAsync("kim");

        Assert.Equal(ErrorCode.StorageUnavailable, away.Code);
    }

    [Fact]
    public async Task A_handler_that_fails_is_answered_and_the_session_goes_on()
    {
        var store = new FaultyStore { Fault = new InvalidOperationException("a bug") };
        await using TestServer server = await TestServer.StartInAsync(null, services => store.Wrap(services));
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf error = await client.FailLoginAsync("kim");
        store.Fault = null;
        await client.LoginAsync("kim");

        Assert.Equal(ErrorCode.Internal, error.Code);
        Assert.Equal(1, server.Figures.HandlerFaults);
    }

    [Fact]
    public async Task More_passwords_than_may_wait_are_answered_as_busy()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:PasswordConcurrency=1", "--Accounts:MaxPendingPasswords=1");
        using PasswordTurn turn = await server.Passwords.EnterAsync();
        await using TestClient first = await server.ConnectAsync();
        await using TestClient second = await server.ConnectAsync();

        Task<SLoginRes> waiting = first.LoginAsync("kim", "secret");
        await Eventually.TrueAsync(() => server.Passwords.Pending == 2);
        SErrorNtf busy = await second.FailLoginAsync("lee", "secret");
        turn.Dispose();

        Assert.Equal(ErrorCode.ServerBusy, busy.Code);
        Assert.Equal("kim", (await waiting).Name);
        await second.LoginAsync("lee", "secret");
    }

    [Fact]
    public async Task A_stopping_server_begins_nothing_new_and_tells_everybody()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient stranger = await server.ConnectAsync();
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        server.Get<ShutdownState>().Begin();
        SErrorNtf login = await stranger.FailLoginAsync("lee");
        SErrorNtf create = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "late" });
        await kim.SayAsync(roomId, "last words");
        await server.StopAsync();
        SCloseNtf notice = Assert.IsType<SCloseNtf>((await kim.ReadToEndAsync())[^1]);

        Assert.Equal(ErrorCode.ServerShutdown, login.Code);
        Assert.Equal(ErrorCode.ServerShutdown, create.Code);
        Assert.Equal(CloseCode.ServerShutdown, notice.Reason);
        Assert.Equal(0, server.Log.Metrics.NotStored);
        Assert.Equal(server.Log.Metrics.Accepted, server.Log.Metrics.Stored);
        Assert.Equal(2, server.Log.Metrics.Stored);
    }

    [Fact]
    public async Task A_full_server_says_so()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Connections:MaxConnections=1");
        await using TestClient first = await server.LoginAsync("kim");
        await using TestClient second = await server.ConnectAsync();

        SCloseNtf notice = await second.NextAsync<SCloseNtf>();

        Assert.Equal(CloseCode.ServerFull, notice.Reason);
    }
}
