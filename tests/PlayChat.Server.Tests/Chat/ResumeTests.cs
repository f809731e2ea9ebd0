using Google.Protobuf;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Chat;

/// <summary>A player whose connection breaks, and who comes back or does not.</summary>
public sealed class ResumeTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task Who_comes_back_gets_exactly_what_was_missed_and_nobody_saw_it_go()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await kim.SayAsync(roomId, "seen");

        await BreakAsync(server, lee);
        await using TestClient ann = await server.LoginAsync("ann");
        SJoinRoomRes joined = await ann.JoinAsync(roomId);
        await kim.SayAsync(roomId, "missed 1");
        await ann.LeaveAsync(roomId);
        await kim.SayAsync(roomId, "missed 2");
        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, login.ResumeToken, (roomId, 2));
        await kim.SayAsync(roomId, "live");
        await back.SayAsync(roomId, "I am back");

        Assert.Equal(["ann", "kim", "lee"], joined.Members.Select(member => member.Name).Order(StringComparer.Ordinal).ToList());
        Assert.Equal((login.PlayerId, "lee", 32), (resumed.PlayerId, resumed.Name, resumed.ResumeToken.Length));
        Assert.NotEqual(login.ResumeToken, resumed.ResumeToken);
        Assert.Equal(30_000u, resumed.Server.ResumeWindowMs);
        Assert.Equal(
            new ResumedRoom { RoomId = roomId, Member = true, Recovered = true, LatestSequence = 6, MissedMessages = 2 },
            Assert.Single(resumed.Rooms));
        Assert.Equal(
            ["3<2 ann joins", "4<3 kim: missed 1", "5<4 ann leaves", "6<5 kim: missed 2", "7<6 kim: live", "8<7 lee: I am back"],
            await HearAsync(back, 6));
        Assert.Equal(
            [
                "1<0 lee joins",
                "2<1 kim: seen",
                "3<2 ann joins",
                "4<3 kim: missed 1",
                "5<4 ann leaves",
                "6<5 kim: missed 2",
                "7<6 kim: live",
                "8<7 lee: I am back",
            ],
            await HearAsync(kim, 8));
    }

    [Fact]
    public async Task Who_does_not_come_back_in_time_has_left()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await BreakAsync(server, lee);

        _time.Advance(TimeSpan.FromSeconds(29));
        await kim.SayAsync(roomId, "still two");
        _time.Advance(TimeSpan.FromSeconds(1));
        await using TestClient late = await server.ConnectAsync();

        Assert.Equal(["1<0 lee joins", "2<1 kim: still two", "3<2 lee leaves"], await HearAsync(kim, 3));
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(late, login.ResumeToken)).Code);
        Assert.Equal(0L, Resuming.CountAway(server));
        await late.LoginAsync("lee");
        await late.JoinAsync(roomId);
    }

    [Theory]
    [InlineData("closes", false)]
    [InlineData("logs out", false)]
    [InlineData("logs out", true)]
    public async Task Who_goes_for_good_has_left_at_once(string how, bool announces)
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await LoginAsync(lee, "lee", announces);
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        if (how == "closes")
        {
            lee.Connection.Close();
        }
        else
        {
            lee.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
            Assert.Equal(CloseReason.PeerClosed, await lee.Closed);
        }

        Assert.Equal(["1<0 lee joins", "2<1 lee leaves"], await HearAsync(kim, 2));
        await using TestClient late = await server.ConnectAsync();
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(late, login.ResumeToken)).Code);
    }

    [Fact]
    public async Task A_stream_that_ends_in_order_is_a_break_where_the_client_announces_its_logout()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await LoginAsync(lee, "lee", announcesLogout: true);
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        lee.Connection.Close();
        await Eventually.TrueAsync(() => Resuming.CountAway(server) == 1);
        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, login.ResumeToken, (roomId, 1));

        Assert.True(resumed.Rooms[0].Recovered);
        await kim.SayAsync(roomId, "two");
        Assert.Equal(["2<1 kim: two"], await HearAsync(back, 1));
    }

    [Fact]
    public async Task A_token_is_good_once_but_for_a_retry_until_the_client_has_the_next()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.ConnectAsync();
        ByteString first = (await lee.LoginAsync("lee")).ResumeToken;
        long roomId = (await lee.CreateAsync("lobby")).RoomId;
        await BreakAsync(server, lee);

        // The first answer is taken as lost: the client shows the same token again.
        await using TestClient second = await server.ConnectAsync();
        ByteString neverSeen = (await ResumeAsync(second, first, (roomId, 0))).ResumeToken;
        await using TestClient third = await server.ConnectAsync();
        ByteString next = (await ResumeAsync(third, first, (roomId, 0))).ResumeToken;
        SCloseNtf told = await second.NextAsync<SCloseNtf>();
        third.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        await third.SayAsync(roomId, "here");

        await using TestClient thief = await server.ConnectAsync();
        Assert.Equal(CloseCode.TakenOver, told.Reason);
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, first)).Code);
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, neverSeen)).Code);
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, ByteString.Empty)).Code);
        Assert.Equal(ErrorCode.LoginRequired, (await thief.FailAsync(ChatPackets.CEchoReq, new CEchoReq())).Code);
        Assert.True((await ResumeAsync(thief, next, (roomId, 1))).Rooms[0].Recovered);
    }

    [Fact]
    public async Task A_used_token_is_no_retry_after_the_window()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        await using TestClient back = await server.ConnectAsync();
        await ResumeAsync(back, token);

        _time.Advance(TimeSpan.FromSeconds(31));
        await using TestClient thief = await server.ConnectAsync();

        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, token)).Code);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_token_survives_a_restart_and_a_logout_does_not(bool logsOut)
    {
        using var directory = new TemporaryDirectory();
        ByteString token;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient lee = await first.ConnectAsync();
            token = (await lee.LoginAsync("lee")).ResumeToken;
            await lee.CreateAsync("lobby");
            if (logsOut)
            {
                lee.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
                await lee.Closed;
            }

            await first.StopAsync();
        }

        await using TestServer again = await TestServer.StartInAsync(directory.Path, null);
        await using TestClient back = await again.ConnectAsync();
        if (logsOut)
        {
            Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(back, token)).Code);
            return;
        }

        SResumeRes resumed = await ResumeAsync(back, token, (1, 0));
        SJoinRoomRes joined = await back.JoinAsync(1);

        Assert.Equal((1, "lee", true), (resumed.PlayerId, resumed.Name, resumed.Restored));
        Assert.False(Assert.Single(resumed.Rooms).Member);
        Assert.Equal("lobby", joined.Name);
        Assert.NotEqual(token, resumed.ResumeToken);
        await using TestClient thief = await again.ConnectAsync();
        back.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        await back.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq()); // the server has the heartbeat
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, token)).Code);
    }

    [Fact]
    public async Task A_client_that_has_not_heard_of_the_restart_is_told_again()
    {
        using var directory = new TemporaryDirectory();
        ByteString token;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient lee = await first.ConnectAsync();
            token = (await lee.LoginAsync("lee")).ResumeToken;
            await lee.CreateAsync("lobby");
            await first.StopAsync();
        }

        await using TestServer again = await TestServer.StartInAsync(directory.Path, null);
        TestClient lost = await again.ConnectAsync();
        await ResumeAsync(lost, token, (1, 0)); // the answer is lost
        await BreakAsync(again, lost);
        await using TestClient back = await again.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, token, (1, 0));

        Assert.Equal((true, false), (resumed.Restored, Assert.Single(resumed.Rooms).Member));
        Assert.Equal("lobby", (await back.JoinAsync(1)).Name);
    }

    [Fact]
    public async Task A_half_open_connection_is_taken_over_and_nothing_is_seen_twice_or_missed()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await kim.SayAsync(roomId, "one");
        await kim.SayAsync(roomId, "two");

        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, token, (roomId, 2));
        SCloseNtf told = await lee.NextAsync<SCloseNtf>();
        Assert.Equal(CloseReason.PeerClosed, await lee.Closed);
        await kim.SayAsync(roomId, "three");

        Assert.True(resumed.Rooms[0].Recovered);
        Assert.Equal(CloseCode.TakenOver, told.Reason);
        Assert.Equal(["3<2 kim: two", "4<3 kim: three"], await HearAsync(back, 2));
        Assert.Equal(["1<0 lee joins", "2<1 kim: one", "3<2 kim: two", "4<3 kim: three"], await HearAsync(kim, 4));
    }

    [Fact]
    public async Task A_second_login_ends_the_earlier_one_its_token_and_its_places()
    {
        await using TestServer server = await StartAsync("--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await BreakAsync(server, lee);

        await using TestClient elsewhere = await server.LoginAsync("lee");
        await using TestClient back = await server.ConnectAsync();

        Assert.Equal(["1<0 lee joins", "2<1 lee leaves"], await HearAsync(kim, 2));
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(back, token)).Code);
        Assert.Equal(3, (await elsewhere.JoinAsync(roomId)).LatestSequence);
    }

    [Theory]
    [InlineData("--Rooms:HistoryMessages=3", 4)]
    [InlineData("--Rooms:HistoryBytes=100", 8)]
    [InlineData("--PlayChat:Connections:MaxOutboundBytes=4096", 100)]
    public async Task What_can_no_longer_be_given_is_said_and_never_left_out_silently(string bound, int messages)
    {
        await using TestServer server = await StartAsync(bound);
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await BreakAsync(server, lee);
        for (int i = 0; i < messages; i++)
        {
            await kim.SayAsync(roomId, $"message {i}");
        }

        await using TestClient back = await server.ConnectAsync();
        ResumedRoom room = (await ResumeAsync(back, token, (roomId, 1))).Rooms[0];
        SRoomStateNtf state = await back.NextAsync<SRoomStateNtf>();
        await kim.SayAsync(roomId, "live");

        Assert.Equal(new ResumedRoom { RoomId = roomId, Member = true, LatestSequence = messages + 1 }, room);
        Assert.Equal((roomId, "lobby", messages + 1), (state.RoomId, state.Name, state.LatestSequence));
        Assert.Equal(["kim", "lee"], state.Members.Select(member => member.Name).Order(StringComparer.Ordinal).ToList());
        Assert.Equal([$"{messages + 2}<{messages + 1} kim: live"], await HearAsync(back, 1));
    }

    [Fact]
    public async Task A_room_that_the_client_does_not_name_is_left_and_one_that_it_is_not_in_is_said()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        long named = (await kim.CreateAsync("named")).RoomId;
        long forgotten = (await kim.CreateAsync("forgotten")).RoomId;
        await lee.JoinAsync(named);
        await lee.JoinAsync(forgotten);
        await BreakAsync(server, lee);

        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, token, (99, 5), (named, 1), (named, 1));

        Assert.Equal([(99L, false), (named, true), (named, false)], resumed.Rooms.Select(room => (room.RoomId, room.Member)));
        Assert.Equal(["1<0 lee joins", "1<0 lee joins", "2<1 lee leaves"], await HearAsync(kim, 3));
        Assert.Equal(3, (await back.JoinAsync(forgotten)).LatestSequence);
    }

    [Fact]
    public async Task A_join_that_a_break_has_overtaken_leaves_the_place_to_the_one_that_is_asked_again()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        var room = (ChatRoom)server.Server.Rooms.Find((await kim.CreateAsync("lobby")).RoomId)!;
        Session session = server.Server.Sessions.FindUser("lee")!;
        using var goOn = new ManualResetEventSlim();
        room.Post(static (_, wait) => wait.Wait(TestTimeouts.Hang), goOn);
        Task<JoinResult<ChatMember>> overtaken = room.JoinAsync(session, new RoomJoin(new PacketContext
        {
            Connection = session.Connection,
            PacketId = ChatPackets.CJoinRoomReq.Id,
            RequestId = 7,
        })).AsTask();
        await BreakAsync(server, lee);

        await using TestClient back = await server.ConnectAsync();
        await ResumeAsync(back, token);
        goOn.Set();

        Assert.Equal(JoinStatus.Refused, (await overtaken.WaitAsync(TestTimeouts.Hang)).Status);
        await back.JoinAsync(room.Id);
    }

    [Fact]
    public async Task A_room_whose_only_member_is_away_stays_and_can_be_joined()
    {
        await using TestServer server = await StartAsync("--PlayChat:Rooms:MaxMembers=2");
        await using TestClient kim = await server.ConnectAsync();
        ByteString token = (await kim.LoginAsync("kim")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await BreakAsync(server, kim);

        await using TestClient lee = await server.LoginAsync("lee");
        SListRoomsRes rooms = await lee.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
        SJoinRoomRes joined = await lee.JoinAsync(roomId);
        await using TestClient ann = await server.LoginAsync("ann");
        SErrorNtf full = await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId });
        await using TestClient back = await server.ConnectAsync();
        await ResumeAsync(back, token, (roomId, 0));

        Assert.Equal(1u, Assert.Single(rooms.Rooms).Members);
        Assert.Equal(2, joined.Members.Count);
        Assert.Equal(ErrorCode.RoomFull, full.Code);
        Assert.Equal(["1<0 lee joins"], await HearAsync(back, 1));
    }

    [Fact]
    public async Task A_message_that_is_sent_again_after_a_resume_is_said_once()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.ConnectAsync();
        ByteString token = (await kim.LoginAsync("kim")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await kim.SayAsync(roomId, "once", clientMessageId: 7);
        await BreakAsync(server, kim);

        await using TestClient back = await server.ConnectAsync();
        await ResumeAsync(back, token, (roomId, 0));
        SRoomChatRes again = await back.SayAsync(roomId, "once", clientMessageId: 7);

        Assert.Equal((1L, true), (again.Sequence, again.Duplicate));
        Assert.Equal(["1<0 kim: once"], await HearAsync(back, 1));
    }

    [Fact]
    public async Task A_stopping_server_does_not_wait_for_those_who_are_away()
    {
        using var directory = new TemporaryDirectory();
        long roomId;
        await using (
            TestServer server = await TestServer.StartInAsync(
                directory.Path, services => services.AddSingleton<TimeProvider>(_time), TestServer.Fleeting))
        {
            await using TestClient kim = await server.LoginAsync("kim");
            roomId = (await kim.CreateAsync("lobby")).RoomId;
            await BreakAsync(server, kim);
            await server.StopAsync();
            Assert.Equal((0, 0L), (server.Server.Rooms.Count, Resuming.CountAway(server)));
        }

        await using TestServer after = await TestServer.StartInAsync(directory.Path, null, TestServer.Fleeting);
        ChatRecord record = Assert.Single(await after.Store.ReadChatAfterAsync(roomId, 0, 10));
        Assert.Equal("kim has left the room.", record.Text);
    }

    [Fact]
    public async Task Without_a_window_nobody_gets_a_token_and_a_break_is_a_leave()
    {
        await using TestServer server = await StartAsync("--PlayChat:Sessions:ResumeWindow=00:00:00");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        lee.Connection.Abort();

        Assert.True(login.ResumeToken.IsEmpty);
        Assert.Equal(0u, login.Server.ResumeWindowMs);
        Assert.Equal(["1<0 lee joins", "2<1 lee leaves"], await HearAsync(kim, 2));
    }

    [Fact]
    public async Task A_resume_where_one_is_logged_in_or_with_too_much_is_refused()
    {
        await using TestServer server = await StartAsync("--PlayChat:Rooms:MaxRoomsPerSession=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();

        Assert.Equal(ErrorCode.AlreadyLoggedIn, (await FailAsync(kim, ByteString.Empty)).Code);
        Assert.Equal(ErrorCode.MalformedPacket, (await FailAsync(lee, ByteString.Empty, (1, 0), (2, 0))).Code);
        Assert.Equal(
            ErrorCode.MalformedPacket,
            (await lee.FailAsync(ChatPackets.CResumeReq, new CResumeReq { ClientVersion = "a\nb" })).Code);
    }

    private static async Task<SLoginRes> LoginAsync(TestClient client, string name, bool announcesLogout) =>
        await client.AskAsync<CLoginReq, SLoginRes>(
            ChatPackets.CLoginReq, new CLoginReq { Name = name, AnnouncesLogout = announcesLogout });

    /// <summary>The next packets of rooms, in order.</summary>
    private static async Task<List<string>> HearAsync(TestClient client, int count)
    {
        List<string> heard = [];
        while (heard.Count < count)
        {
            switch (await client.NextAsync<IMessage>())
            {
                case SJoinRoomNtf join:
                    heard.Add($"{join.Sequence}<{join.PreviousSequence} {join.Member.Name} joins");
                    break;
                case SRoomChatNtf { System: true } left:
                    heard.Add($"{left.Sequence}<{left.PreviousSequence} {left.Left.Name} leaves");
                    break;
                case SRoomChatNtf chat:
                    heard.Add($"{chat.Sequence}<{chat.PreviousSequence} {chat.PlayerName}: {chat.Text}");
                    break;
            }
        }

        return heard;
    }

    private Task<TestServer> StartAsync(params string[] args) =>
        TestServer.StartUnderAsync(_time, args);
}
