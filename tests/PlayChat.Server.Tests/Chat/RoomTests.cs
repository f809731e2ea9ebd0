using PlayChat.Chat.Rooms;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

public sealed class RoomTests
{
    [Fact]
    public async Task Two_players_meet_talk_and_part()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient minsu = await server.LoginAsync("민수");
        await using TestClient ann = await server.LoginAsync("Ann");

        SCreateRoomRes created = await minsu.CreateAsync("잡담 👋");
        SJoinRoomRes joined = await ann.JoinAsync(created.RoomId);
        SJoinRoomNtf heard = await minsu.NextAsync<SJoinRoomNtf>();
        SRoomChatRes said = await ann.SayAsync(created.RoomId, "안녕 👋");
        SRoomChatNtf byOther = await minsu.NextAsync<SRoomChatNtf>();
        SRoomChatNtf bySender = await ann.NextAsync<SRoomChatNtf>();
        await ann.LeaveAsync(created.RoomId);
        SRoomChatNtf left = await minsu.NextAsync<SRoomChatNtf>();
        await minsu.LeaveAsync(created.RoomId);
        SListRoomsRes rooms = await minsu.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());

        Assert.Equal((1L, "잡담 👋", 0L), (created.RoomId, created.Name, created.LatestSequence));
        Assert.Equal("민수", Assert.Single(created.Members).Name);
        Assert.Equal(1, joined.LatestSequence);
        Assert.Equal(["Ann", "민수"], joined.Members.Select(member => member.Name).Order(StringComparer.Ordinal).ToList());
        Assert.Equal(("Ann", 1L, 0L), (heard.Member.Name, heard.Sequence, heard.PreviousSequence));
        Assert.Equal((2L, false), (said.Sequence, said.Duplicate));
        Assert.Equal(byOther, bySender);
        Assert.Equal(
            ("안녕 👋", 2L, 1L, "Ann", false), (byOther.Text, byOther.Sequence, byOther.PreviousSequence, byOther.PlayerName, byOther.System));
        Assert.InRange(byOther.SentAtUnixMs, 1_700_000_000_000, long.MaxValue);
        Assert.Equal(
            ("Ann has left the room.", 3L, 2L, ChatLimits.SystemName, true),
            (left.Text, left.Sequence, left.PreviousSequence, left.PlayerName, left.System));
        Assert.Equal(ann.PlayerId, left.Left.PlayerId);
        Assert.Empty(rooms.Rooms);
    }

    [Fact]
    public async Task A_lost_connection_leaves_like_a_player_who_leaves()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Sessions:ResumeWindow=00:00:00", TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        lee.Connection.Abort();
        SRoomChatNtf left = await kim.NextAsync<SRoomChatNtf>();

        Assert.Equal("lee has left the room.", left.Text);
        Assert.Equal(lee.PlayerId, left.Left.PlayerId);
        Assert.Equal(2, left.Sequence);
    }

    [Fact]
    public async Task A_repeated_client_message_id_is_answered_and_not_sent_twice_even_on_a_new_connection()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting, "--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        SRoomChatRes first = await lee.SayAsync(roomId, "once", clientMessageId: 300);
        SRoomChatRes again = await lee.SayAsync(roomId, "once", clientMessageId: 300);
        SRoomChatRes ofOther = await kim.SayAsync(roomId, "mine", clientMessageId: 300);
        await using TestClient leeAgain = await server.LoginAsync("lee");
        await lee.Closed;
        await leeAgain.JoinAsync(roomId);
        SRoomChatRes afterAll = await leeAgain.SayAsync(roomId, "once", clientMessageId: 300);
        await leeAgain.SayAsync(roomId, "end");
        List<string> heard = [];
        while (heard.LastOrDefault() != "end")
        {
            heard.Add((await kim.NextAsync<SRoomChatNtf>()).Text);
        }

        Assert.Equal((2L, 300ul, false), (first.Sequence, first.ClientMessageId, first.Duplicate));
        Assert.Equal((2L, 300ul, true), (again.Sequence, again.ClientMessageId, again.Duplicate));
        Assert.Equal((3L, false), (ofOther.Sequence, ofOther.Duplicate));
        Assert.Equal((2L, true), (afterAll.Sequence, afterAll.Duplicate));
        Assert.Equal(["once", "mine", "lee has left the room.", "end"], heard);
    }

    [Fact]
    public async Task A_join_of_a_session_that_was_taken_over_does_not_throw_out_the_newer_one()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await lee.CreateAsync("lobby")).RoomId;
        Session older = server.Server.Sessions.FindUser("kim")!;
        await using TestClient newer = await server.LoginAsync("kim");
        await newer.JoinAsync(roomId);

        var room = (ChatRoom)server.Server.Rooms.Find(roomId)!;
        var request = new PacketContext { Connection = older.Connection, PacketId = (ushort)PacketId.CJoinRoomReq, RequestId = 1 };
        JoinResult<ChatMember> refused = await room.JoinAsync(older, new RoomJoin(request));

        Assert.Equal(JoinStatus.SessionEnded, refused.Status);
        Assert.Equal(2, (await newer.SayAsync(roomId, "still here")).Sequence);
    }

    [Fact]
    public async Task A_request_without_a_request_id_is_carried_out_and_not_answered()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "hi" });
        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = 99, Text = "hi" });
        SRoomChatNtf heard = await kim.NextAsync<SRoomChatNtf>();
        SErrorNtf error = await kim.NextAsync<SErrorNtf>();
        kim.Connection.Close();

        Assert.Equal("hi", heard.Text);
        Assert.Equal(ErrorCode.RoomNotFound, error.Code);
        Assert.DoesNotContain(await kim.ReadToEndAsync(), message => message is SRoomChatRes);
    }

    [Theory]
    [InlineData("a", 4000, true)]
    [InlineData("a", 4001, false)]
    [InlineData("한", 1333, true)]
    [InlineData("한", 1334, false)]
    [InlineData("👋", 1000, true)]
    [InlineData("👋", 1001, false)]
    [InlineData("e\u0301", 1333, true)]
    [InlineData("e\u0301", 1334, false)]
    [InlineData("\t\n", 10, true)]
    [InlineData("\u0007", 10, false)] // nothing is left of it
    [InlineData("", 1, false)]
    public async Task A_text_is_taken_whole_or_refused(string piece, int times, bool allowed)
    {
        string text = string.Concat(Enumerable.Repeat(piece, times));
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        if (allowed)
        {
            await kim.SayAsync(roomId, text);
            Assert.Equal(text, (await kim.NextAsync<SRoomChatNtf>()).Text);
        }
        else
        {
            SErrorNtf error = await kim.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = text });
            Assert.Equal(ErrorCode.TextInvalid, error.Code);
        }
    }

    [Theory]
    [InlineData("a", 1, true)]
    [InlineData("👋", 64, true)]
    [InlineData("👋", 65, false)]
    [InlineData("e\u0301", 32, true)]
    [InlineData("e\u0301", 33, false)]
    [InlineData(" ", 3, false)]
    [InlineData("a\u0085", 1, false)]
    [InlineData("", 1, false)]
    public async Task A_room_name_is_taken_whole_or_refused(string piece, int times, bool allowed)
    {
        string name = string.Concat(Enumerable.Repeat(piece, times));
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");

        if (allowed)
        {
            Assert.Equal(name, (await kim.CreateAsync(name)).Name);
        }
        else
        {
            SErrorNtf error = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = name });
            Assert.Equal(ErrorCode.RoomNameInvalid, error.Code);
        }
    }

    [Fact]
    public async Task Rooms_are_listed_by_id_a_page_at_a_time()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Rooms:MaxMembers=9");
        await using TestClient kim = await server.LoginAsync("kim");
        for (int i = 1; i <= 5; i++)
        {
            await kim.CreateAsync($"room {i}");
        }

        SListRoomsRes first = await kim.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq { Limit = 2 });
        SListRoomsRes last = await kim.AskAsync<CListRoomsReq, SListRoomsRes>(
            ChatPackets.CListRoomsReq, new CListRoomsReq { AfterRoomId = 2 });

        Assert.Equal([1L, 2L], first.Rooms.Select(room => room.RoomId));
        Assert.Equal((true, 2L), (first.More, first.LastRoomId));
        Assert.Equal([3L, 4L, 5L], last.Rooms.Select(room => room.RoomId));
        Assert.Equal((false, 0L), (last.More, last.LastRoomId));
        Assert.All(last.Rooms, room => Assert.Equal((1u, 9u), (room.Members, room.MaxMembers)));
    }

    [Fact]
    public async Task What_was_said_is_stored_and_room_ids_go_on_after_a_restart()
    {
        using var directory = new TemporaryDirectory();
        await using (TestServer before = await TestServer.StartInAsync(directory.Path, null, TestServer.Fleeting))
        {
            await using TestClient kim = await before.LoginAsync("kim");
            await kim.CreateAsync("quiet");
            long roomId = (await kim.CreateAsync("수다")).RoomId;
            await kim.SayAsync(roomId, "안녕 👋\nline two");
        }

        await using TestServer after = await TestServer.StartInAsync(directory.Path, null, TestServer.Fleeting);
        await using TestClient again = await after.LoginAsync("kim");
        IReadOnlyList<ChatRecord> records = await after.Store.ReadChatAfterAsync(2, 0, 10);
        SCreateRoomRes created = await again.CreateAsync("new");
        string file = Assert.Single(Directory.GetFiles(directory.Combine("chat")));
        string[] lines = await File.ReadAllLinesAsync(file);

        Assert.Equal(1, again.PlayerId);
        Assert.Equal(3, created.RoomId);
        Assert.Equal(["안녕 👋\nline two", "kim has left the room."], records.Select(record => record.Text).ToList());
        Assert.Equal([1L, 2L], records.Select(record => record.Sequence));
        Assert.Equal("수다", records[0].RoomName);
        Assert.Contains(
            lines, line => line.Contains("\"room\":\"수다\",\"sequence\":1,\"player_id\":1,\"player\":\"kim\"", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_member_list_longer_than_a_client_may_send_is_still_sent()
    {
        const int Members = 60;
        string suffix = string.Concat(Enumerable.Repeat("👋", 28));
        await using TestServer server = await TestServer.StartAsync("--MaxFrameBytes=4096");
        List<TestClient> clients = [];
        try
        {
            for (int i = 0; i < Members; i++)
            {
                clients.Add(await server.LoginAsync($"{i:0000}{suffix}"));
            }

            long roomId = (await clients[0].CreateAsync("crowd")).RoomId;
            SJoinRoomRes last = new();
            foreach (TestClient client in clients.Skip(1))
            {
                last = await client.JoinAsync(roomId);
            }

            Assert.Equal(Members, last.Members.Count);
            Assert.True(last.CalculateSize() > 4096);
        }
        finally
        {
            foreach (TestClient client in clients)
            {
                await client.DisposeAsync();
            }
        }
    }
}
