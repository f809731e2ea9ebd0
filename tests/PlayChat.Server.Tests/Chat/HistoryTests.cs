using PlayChat.Protocol;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

public sealed class HistoryTests
{
    [Theory]
    [InlineData("--Rooms:HistoryMessages=1000")]
    [InlineData("--Rooms:HistoryMessages=7")]
    [InlineData("--Rooms:HistoryMessages=0")]
    [InlineData("--Rooms:HistoryBytes=200")]
    public async Task Pages_meet_every_message_once_in_both_directions_wherever_they_come_from(string memory)
    {
        await using TestServer server = await TestServer.StartAsync(memory, "--ChatLog:FlushInterval=00:00:00");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        List<(long, string)> said = await TalkAsync(kim, lee, roomId, 30);
        await StoredAsync(server, said.Count);

        List<SRoomHistoryRes> back = [await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, Limit = 4 })];
        while (back[0].More)
        {
            back.Insert(
                0, await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, BeforeSequence = back[0].Messages[0].Sequence, Limit = 4 }));
        }

        List<SRoomHistoryRes> forward = [await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = 0, Limit = 4 })];
        while (forward[^1].More)
        {
            forward.Add(
                await ReadAsync(
                    kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = forward[^1].Messages[^1].Sequence, Limit = 4 }));
        }

        Assert.Equal(said, Texts(back));
        Assert.Equal(said, Texts(forward));
        Assert.All(back.Concat(forward), page => Assert.True(page.Complete));
        SRoomChatNtf left = back.SelectMany(page => page.Messages).First(message => message.System);
        Assert.Equal((ChatLimits.SystemName, 0L, null), (left.PlayerName, left.PlayerId, left.Left));
    }

    [Fact]
    public async Task A_page_says_that_it_has_a_hole_while_the_database_is_behind()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null, services => store.Wrap(services), "--Rooms:HistoryMessages=2", "--ChatLog:FlushInterval=00:00:00");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        for (int i = 1; i <= 5; i++)
        {
            await kim.SayAsync(roomId, $"{i}");
        }

        SRoomHistoryRes newest = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, Limit = 2 });
        SRoomHistoryRes behind = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId });
        SRoomHistoryRes forward = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = 1 });
        back.SetResult();
        await StoredAsync(server, 5);
        SRoomHistoryRes all = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId });

        Assert.Equal((true, true, "4 5"), (newest.Complete, newest.More, Joined(newest)));
        Assert.Equal((false, "4 5"), (behind.Complete, Joined(behind)));
        Assert.Equal((false, "4 5"), (forward.Complete, Joined(forward)));
        Assert.Equal((true, "1 2 3 4 5"), (all.Complete, Joined(all)));
    }

    [Fact]
    public async Task A_page_says_for_ever_that_messages_were_lost_to_a_full_queue()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => store.Wrap(services),
            "--Rooms:HistoryMessages=1",
            "--ChatLog:QueueRecords=1",
            "--ChatLog:BatchRecords=1",
            "--ChatLog:FullPolicy=Count");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await kim.SayAsync(roomId, "stored");
        await kim.SayAsync(roomId, "lost");
        back.SetResult();
        await StoredAsync(server, 1);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 0);
        await kim.SayAsync(roomId, "after");
        await StoredAsync(server, 2);
        await kim.SayAsync(roomId, "in memory");

        SRoomHistoryRes all = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId });
        SRoomHistoryRes later = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = 2 });

        Assert.Equal((false, "stored after in memory"), (all.Complete, Joined(all)));
        Assert.True(later.Complete);
    }

    [Theory]
    [InlineData("--Rooms:HistoryMessages=1000")]
    [InlineData("--Rooms:HistoryMessages=0")]
    public async Task A_page_across_a_kill_says_where_messages_may_be_missing(string memory)
    {
        using var folder = new TemporaryDirectory();
        await using (var store = new SqliteChatStore(new SqliteStoreOptions { Path = folder.Combine("playchat.db") }))
        {
            await store.InitializeAsync();
            await store.SaveRoomAsync(1, "lobby", DateTimeOffset.UnixEpoch); // open, so its server did not stop
            await store.AppendChatAsync(
                Enumerable.Range(1, 10).Select(static i => new ChatRecord(1, i, 7, "lee", $"{i}", DateTimeOffset.UnixEpoch)).ToArray());
        }

        await using TestServer server =
            await TestServer.StartInAsync(folder.Path, null, memory, "--ChatLog:FlushInterval=00:00:00");
        await using TestClient kim = await server.LoginAsync("kim");
        long joined = (await kim.JoinAsync(1)).LatestSequence;
        SRoomHistoryRes silent = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1 });
        for (int i = 1; i <= 6; i++)
        {
            await kim.SayAsync(1, $"new {i}");
        }

        await StoredAsync(server, 6);
        long first = joined + 1;
        SRoomHistoryRes all = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1 });
        SRoomHistoryRes newest = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1, Limit = 6 });
        SRoomHistoryRes older = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1, BeforeSequence = newest.Messages[0].Sequence });
        SRoomHistoryRes oldest = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1, AfterSequence = 0, Limit = 10 });
        SRoomHistoryRes newer = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1, AfterSequence = 10 });
        SRoomHistoryRes lost = await ReadAsync(kim, new CRoomHistoryReq { RoomId = 1, AfterSequence = 14 }); // which a client had seen

        Assert.Equal((10, 16, 6, 10), (silent.Messages.Count, all.Messages.Count, newest.Messages.Count, older.Messages.Count));
        Assert.Equal([(10L, joined + 1, false)], Gaps(silent));
        Assert.All([all, older, newer], page => Assert.Equal([(10L, first, false)], Gaps(page)));
        Assert.Equal([(14L, first, false)], Gaps(lost));
        Assert.All([newest, oldest], static page => Assert.True(page.Complete && page.Gaps.Count == 0));

        static IEnumerable<(long After, long Before, bool Complete)> Gaps(SRoomHistoryRes page) =>
            page.Gaps.Select(gap => (gap.AfterSequence, gap.BeforeSequence, page.Complete));
    }

    [Fact]
    public async Task The_answer_to_a_join_carries_the_last_messages_as_configured()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:HistoryOnJoin=2");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        foreach (string text in (string[])["one", "two", "three"])
        {
            await kim.SayAsync(roomId, text);
        }

        SJoinRoomRes joined = await lee.JoinAsync(roomId);

        Assert.Equal([(2L, "two"), (3L, "three")], joined.History.Select(message => (message.Sequence, message.Text)));
        Assert.Equal(4, joined.LatestSequence);
    }

    [Fact]
    public async Task Only_members_read_and_only_what_can_be()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        Assert.Equal(ErrorCode.NotInRoom, (await FailAsync(lee, new CRoomHistoryReq { RoomId = roomId })).Code);
        Assert.Equal(ErrorCode.RoomNotFound, (await FailAsync(lee, new CRoomHistoryReq { RoomId = 99 })).Code);
        Assert.Equal(ErrorCode.MalformedPacket, (await FailAsync(kim, new CRoomHistoryReq { RoomId = roomId, Limit = 201 })).Code);
        Assert.Equal(ErrorCode.MalformedPacket, (await FailAsync(kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = -1 })).Code);
        SRoomHistoryRes none = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, AfterSequence = long.MaxValue });
        SRoomHistoryRes noneBefore = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId, BeforeSequence = 0 });
        Assert.Equal((0, false, true), (none.Messages.Count, none.More, none.Complete));
        Assert.Equal((0, false, true), (noneBefore.Messages.Count, noneBefore.More, noneBefore.Complete));
    }

    [Fact]
    public async Task A_page_of_the_longest_messages_ends_before_it_fills_the_readers_queue()
    {
        await using TestServer server = await TestServer.StartAsync(
            "--Rooms:HistoryBytes=8000000", "--PlayChat:Connections:MaxOutboundBytes=100000");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        for (int i = 0; i < 20; i++)
        {
            await kim.SayAsync(roomId, new string('a', ChatLimits.MaxTextBytes));
        }

        SRoomHistoryRes page = await ReadAsync(kim, new CRoomHistoryReq { RoomId = roomId });

        Assert.True(page.More);
        Assert.InRange(page.CalculateSize(), ChatLimits.MaxTextBytes, 100_000 / 8);
    }

    internal static Task<SRoomHistoryRes> ReadAsync(TestClient client, CRoomHistoryReq request) =>
        client.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(ChatPackets.CRoomHistoryReq, request);

    private static Task<SErrorNtf> FailAsync(TestClient client, CRoomHistoryReq request) =>
        client.FailAsync(ChatPackets.CRoomHistoryReq, request);

    /// <summary>Two who speak, one of whom comes and goes.</summary>
    private static async Task<List<(long Sequence, string Text)>> TalkAsync(TestClient stays, TestClient comes, long roomId, int messages)
    {
        List<(long, string)> said = [];
        for (int i = 0; i < messages; i++)
        {
            if (i % 10 == 3)
            {
                await comes.JoinAsync(roomId);
                said.Add(((await comes.SayAsync(roomId, $"comes {i}")).Sequence, $"comes {i}"));
                long last = said[^1].Item1;
                await comes.LeaveAsync(roomId);
                said.Add((last + 1, "lee has left the room."));
            }
            else
            {
                said.Add(((await stays.SayAsync(roomId, $"stays {i}")).Sequence, $"stays {i}"));
            }
        }

        return said;
    }

    private static IEnumerable<(long, string)> Texts(IEnumerable<SRoomHistoryRes> pages) =>
        pages.SelectMany(page => page.Messages).Select(message => (message.Sequence, message.Text));

    private static string Joined(SRoomHistoryRes page) => string.Join(' ', page.Messages.Select(message => message.Text));

    private static async Task StoredAsync(TestServer server, int messages) =>
        await Eventually.TrueAsync(() => server.Log.Metrics.Stored >= messages);
}
