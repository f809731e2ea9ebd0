using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>What members report to the moderators of a room.</summary>
public sealed class ReportTests
{
    [Theory]
    [InlineData(1000)]
    [InlineData(0)] // nothing in memory: the lines come from the store
    public async Task Moderators_hear_of_a_report_once_and_read_it_with_five_lines_on_each_side(int remembered)
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:Lasting=true", $"--Rooms:HistoryMessages={remembered}");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient cid = await server.LoginAsync("Cid");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await cid.JoinAsync(room);
        List<long> said = [];
        for (int i = 0; i < 13; i++)
        {
            said.Add((await bob.SayAsync(room, $"line {i}")).Sequence);
        }

        await Eventually.GetAsync(() => cid.ReadTextsAsync(room), static texts => texts.EndsWith("line 12", StringComparison.Ordinal));
        long first = (await ReportAsync(cid, room, said[6], "rude")).ReportId;
        SReportNtf told = await ann.NextAsync<SReportNtf>();
        await bob.EditAsync(room, said[6], ""); // the copy stays
        Assert.Equal(first, (await ReportAsync(cid, room, said[5], "rude too")).ReportId - 1);
        Assert.Equal(first, (await ReportAsync(cid, room, said[4], "and this")).ReportId - 2);

        Assert.Equal(
            (first, room, "den", said[6], cid.PlayerId, "Cid", "rude"),
            (told.Report.ReportId, told.Report.RoomId, told.Report.RoomName, told.Report.Sequence, told.Report.ReporterId,
                told.Report.ReporterName, told.Report.Reason));
        Assert.Empty(told.Report.Messages);
        SListReportsRes page = await ListAsync(ann, new CListReportsReq { RoomId = room, Limit = 1 });
        Assert.Equal((true, first), (page.More, Assert.Single(page.Reports).ReportId));
        Assert.Equal(
            string.Join('|', Enumerable.Range(1, 11).Select(static i => $"line {i}")),
            string.Join('|', page.Reports[0].Messages.Select(static line => line.Text)));
        Assert.All(page.Reports[0].Messages, line => Assert.Equal((room, "Bob"), (line.RoomId, line.PlayerName)));
        page = await ListAsync(ann, new CListReportsReq { RoomId = room, AfterReportId = first });
        Assert.Equal((false, 2), (page.More, page.Reports.Count));

        await ResolveAsync(ann, room, first);
        Assert.Equal(ErrorCode.Forbidden, (await FailToResolveAsync(ann, room, first)).Code);
        Assert.Equal(2, (await ListAsync(ann, new CListReportsReq { RoomId = room })).Reports.Count);
        Assert.Equal(2, ann.CountWaiting<SReportNtf>());
        Assert.Equal(0, bob.CountWaiting<SReportNtf>());
    }

    [Fact]
    public async Task A_second_report_of_a_message_has_the_answer_of_the_first_and_what_cannot_be_reported_is_refused()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient cid = await server.LoginAsync("Cid");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "hello")).Sequence;
        long gone = (await ann.SayAsync(room, "gone")).Sequence;
        await ann.EditAsync(room, gone, "");

        Assert.Equal((await ReportAsync(bob, room, said, "rude")).ReportId, (await ReportAsync(bob, room, said, "again")).ReportId);
        Assert.Equal("rude", Assert.Single((await ListAsync(ann, new CListReportsReq { RoomId = room })).Reports).Reason);
        Assert.Equal(ErrorCode.MessageNotFound, (await FailAsync(bob, room, gone, "gone")).Code);
        Assert.Equal(ErrorCode.MessageNotFound, (await FailAsync(bob, room, 999, "none")).Code);
        Assert.Equal(ErrorCode.MessageNotFound, (await FailAsync(bob, room, long.MaxValue, "none")).Code);
        Assert.Equal(ErrorCode.Forbidden, (await FailAsync(ann, room, said, "mine")).Code);
        Assert.Equal(ErrorCode.NotInRoom, (await FailAsync(cid, room, said, "outside")).Code);
        Assert.Equal(ErrorCode.RoomNotFound, (await FailAsync(bob, room + 99, said, "nowhere")).Code);
        Assert.Equal(ErrorCode.TextInvalid, (await FailAsync(bob, room, said, "")).Code);
        Assert.Equal(ErrorCode.TextInvalid, (await FailAsync(bob, room, said, new string('x', 513))).Code);
        Assert.Equal(
            "Only moderators and owners of this room may do this. Ask one of them.",
            (await bob.FailAsync(ChatPackets.CListReportsReq, new CListReportsReq { RoomId = room })).Message);
        Assert.Equal(ErrorCode.Forbidden, (await FailToResolveAsync(bob, room, 1)).Code);
        Assert.Equal(ErrorCode.NotInRoom, (await FailToResolveAsync(cid, room, 1)).Code);
    }

    [Fact]
    public async Task A_client_reports_and_the_client_of_a_moderator_hears_of_it_lists_and_resolves_it()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync();
        await using ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", server.EndPoint.Port);
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", server.EndPoint.Port);
        await ann.LoginAsync("Ann");
        await bob.LoginAsync("Bob");
        var heard = new TaskCompletionSource<SReportNtf>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.MessageReported += (_, e) => heard.TrySetResult(e.Message);
        long room = (await ann.CreateRoomAsync("den")).RoomId;
        await bob.JoinRoomAsync(room);
        long said = (await ann.ChatAsync(room, "hello")).Sequence;

        long id = (await bob.ReportAsync(room, said, "rude")).ReportId;
        Assert.Equal(id, (await heard.Task.WaitAsync(TestTimeouts.Hang)).Report.ReportId);
        Report report = Assert.Single((await ann.ListReportsAsync(room)).Reports);
        Assert.Equal("hello", report.Messages.Single(line => line.Sequence == said).Text);
        await ann.ResolveReportAsync(room, id, "warned");
        Assert.Empty((await ann.ListReportsAsync(room)).Reports);
    }

    private static Task<SReportRes> ReportAsync(TestClient client, long room, long sequence, string reason) =>
        client.AskAsync<CReportReq, SReportRes>(ChatPackets.CReportReq, Request(room, sequence, reason));

    private static Task<SErrorNtf> FailAsync(TestClient client, long room, long sequence, string reason) =>
        client.FailAsync(ChatPackets.CReportReq, Request(room, sequence, reason));

    private static CReportReq Request(long room, long sequence, string reason) =>
        new() { RoomId = room, Sequence = sequence, Reason = reason };

    private static Task<SListReportsRes> ListAsync(TestClient client, CListReportsReq request) =>
        client.AskAsync<CListReportsReq, SListReportsRes>(ChatPackets.CListReportsReq, request);

    private static Task<SResolveReportRes> ResolveAsync(TestClient client, long room, long id) =>
        client.AskAsync<CResolveReportReq, SResolveReportRes>(
            ChatPackets.CResolveReportReq, new CResolveReportReq { RoomId = room, ReportId = id, Note = "muted" });

    private static Task<SErrorNtf> FailToResolveAsync(TestClient client, long room, long id) =>
        client.FailAsync(ChatPackets.CResolveReportReq, new CResolveReportReq { RoomId = room, ReportId = id });
}
