using Google.Protobuf;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Hosting;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What one connection, or one player, may send in how much time, under a clock that the test moves.</summary>
public sealed class RateLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task More_rooms_than_a_minute_has_are_refused_for_so_long_and_all_else_goes_on()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:RoomsPerMinute=2");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("one")).RoomId;
        await kim.CreateAsync("two");

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "three" });
        await kim.SayAsync(roomId, "still here");
        await lee.CreateAsync("lee's");
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs));
        await kim.CreateAsync("three");

        Assert.Equal((ErrorCode.RateLimited, 30_000u), (refused.Code, refused.RetryAfterMs));
        Assert.Equal((uint)PacketId.CCreateRoomReq, refused.PacketId);
        Assert.Equal(4, server.Server.Rooms.Count);
    }

    [Fact]
    public async Task More_packets_than_a_second_has_are_refused_until_it_goes_on()
    {
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, "--Sessions:PacketsPerSecond=3", "--Sessions:RoomsPerMinute=0");
        await using TestClient kim = await server.LoginAsync("kim");
        await EchoAsync(kim);
        await EchoAsync(kim);

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "lobby" });
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs));
        await EchoAsync(kim);

        Assert.Equal((ErrorCode.RateLimited, 334u), (refused.Code, refused.RetryAfterMs));
    }

    [Fact]
    public async Task The_limit_of_packets_changes_for_connections_that_are_open()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:PacketsPerSecond=0");
        await using TestClient kim = await server.LoginAsync("kim");
        Reloader reloader = server.Get<Reloader>();

        await reloader.ChangeAsync("Sessions:PacketsPerSecond", "1");
        await EchoAsync(kim);
        SErrorNtf refused = await kim.FailAsync(ChatPackets.CEchoReq, new CEchoReq());
        await reloader.ChangeAsync("Rooms:MaxRooms", "7"); // fills no bucket
        await kim.FailAsync(ChatPackets.CEchoReq, new CEchoReq());
        await reloader.ChangeAsync("Sessions:PacketsPerSecond", "0");
        for (int i = 0; i < 10; i++)
        {
            await EchoAsync(kim); // and the clock does not move
        }

        Assert.Equal((ErrorCode.RateLimited, 1000u), (refused.Code, refused.RetryAfterMs));
    }

    [Fact]
    public async Task Whoever_goes_on_all_the_same_is_told_and_closed()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:PacketsPerSecond=1");
        await using TestClient kim = await server.LoginAsync("kim");

        for (int i = 0; i < 150; i++)
        {
            kim.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        }

        List<IMessage> heard = await kim.ReadToEndAsync();

        Assert.Equal(99, heard.OfType<SErrorNtf>().Count(static error => error.Code == ErrorCode.RateLimited));
        Assert.Equal(CloseCode.RateLimited, Assert.IsType<SCloseNtf>(heard[^1]).Reason);
    }

    [Fact]
    public async Task A_player_who_logs_in_again_has_no_more_rooms_than_before()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:RoomsPerMinute=2");
        await using TestClient first = await server.LoginAsync("kim");
        await first.CreateAsync("one");
        await first.CreateAsync("two");

        await using TestClient again = await server.LoginAsync("kim");
        SErrorNtf refused = await again.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "three" });

        Assert.Equal(ErrorCode.RateLimited, refused.Code);
    }

    [Fact]
    public async Task A_player_has_so_many_rooms_and_another_when_one_of_them_is_empty()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Rooms:MaxCreatedPerPlayer=2", TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("one")).RoomId;
        await kim.CreateAsync("two");

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "three" });
        await lee.CreateAsync("lee's");
        await kim.LeaveAsync(roomId);
        await Eventually.TrueAsync(() => server.Server.Rooms.Count == 2);
        await kim.CreateAsync("three");

        Assert.Equal(ErrorCode.ServerFull, refused.Code);
    }

    [Fact]
    public async Task Pages_of_rooms_and_history_have_one_limit_for_each_player()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:PagesPerSecond=2");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await ListAsync(kim);
        await kim.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = roomId });

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CListRoomsReq, new CListRoomsReq());
        await ListAsync(lee);
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs));
        await ListAsync(kim);

        Assert.Equal((ErrorCode.RateLimited, 500u), (refused.Code, refused.RetryAfterMs));
        Assert.Equal(1, server.Get<PlayerLimits>().Refused);
    }

    [Fact]
    public async Task A_player_reports_so_many_messages_in_an_hour_and_others_report_theirs()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:PagesPerSecond=0");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        await using TestClient ann = await server.LoginAsync("ann");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await ann.JoinAsync(roomId);
        List<CReportReq> reports = [];
        for (int i = 0; i < 31; i++)
        {
            reports.Add(new CReportReq { RoomId = roomId, Sequence = (await kim.SayAsync(roomId, "spam")).Sequence, Reason = "spam" });
        }

        for (int i = 0; i < 30; i++)
        {
            await ReportAsync(lee, reports[i]);
        }

        SErrorNtf refused = await lee.FailAsync(ChatPackets.CReportReq, reports[30]);
        await ReportAsync(ann, reports[30]);
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs)); // the clients have been silent too long
        await using TestClient again = await server.LoginAsync("lee");
        await again.JoinAsync(roomId);
        await ReportAsync(again, reports[30]);

        Assert.Equal((ErrorCode.RateLimited, 120_000u), (refused.Code, refused.RetryAfterMs));
    }

    [Fact]
    public async Task Zero_is_no_limit()
    {
        const int Rooms = 100;
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:RoomsPerMinute=0", TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");

        for (int i = 0; i < Rooms; i++)
        {
            await kim.CreateAsync("another");
        }

        Assert.Equal(Rooms, server.Server.Rooms.Count);
        Assert.Equal(0, server.Figures.RateLimitedPackets);
    }

    private static Task<SReportRes> ReportAsync(TestClient client, CReportReq report) =>
        client.AskAsync<CReportReq, SReportRes>(ChatPackets.CReportReq, report);

    private static Task<SListRoomsRes> ListAsync(TestClient client) =>
        client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());

    private static Task<SEchoRes> EchoAsync(TestClient client) => client.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
}
