using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>The topic and the slow mode of a room.</summary>
public sealed class RoomTermsTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Members_hear_a_topic_and_players_that_join_or_list_rooms_see_it_also_after_a_restart(bool isLasting)
    {
        using var folder = new TemporaryDirectory();
        string lasting = $"--Rooms:Lasting={isLasting}";
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.LoginAsync("Bob");
            room = (await ann.CreateAsync("den")).RoomId;
            Assert.Null((await bob.JoinAsync(room)).Terms);

            await ann.ModerateAsync(Topic(room, "Bears & <honey>"));
            SRoomChatNtf told = await bob.NextAsync<SRoomChatNtf>();
            await bob.LeaveAsync(room);

            Assert.Equal(("Ann set the topic: Bears & <honey>", "Bears & <honey>", null), (told.Text, told.Terms.Topic, told.Changed));
            Assert.Equal("Bears & <honey>", (await bob.JoinAsync(room)).Terms.Topic);
            Assert.Equal("Bears & <honey>", Assert.Single((await ListAsync(bob)).Rooms).Terms.Topic);
            Assert.All(await bob.ReadHistoryAsync(room), static said => Assert.Null(said.Terms));
            Assert.Equal(ErrorCode.Forbidden, (await bob.FailToModerateAsync(Topic(room, "mine"))).Code);
            Assert.Equal(ErrorCode.MalformedPacket, (await ann.FailToModerateAsync(Topic(room, new string('x', 201)))).Code);
            Assert.Equal(ErrorCode.MalformedPacket, (await ann.FailToModerateAsync(Topic(room, "\u0001"))).Code);
            await server.StopAsync(); // before the clients go: a room that does not last would be empty
        }

        await using TestServer restarted = await TestServer.StartInAsync(folder.Path, null, lasting);
        await using TestClient again = await restarted.LoginAsync("Ann");
        Assert.Equal(isLasting ? "Bears & <honey>" : null, (await ListAsync(again)).Rooms.SingleOrDefault()?.Terms.Topic);
        Assert.Equal("Bears & <honey>", (await again.JoinAsync(room)).Terms.Topic);
        await again.ModerateAsync(Topic(room, ""));
        Assert.Equal("", (await again.NextAsync<SRoomChatNtf>()).Terms.Topic);
        Assert.Null(Assert.Single((await ListAsync(again)).Rooms).Terms);
    }

    [Fact]
    public async Task In_slow_mode_a_member_waits_between_messages_and_a_moderator_does_not()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await eve.JoinAsync(room);

        await ann.ModerateAsync(SlowMode(room, 3600));
        SRoomChatNtf told = await bob.NextAsync<SRoomChatNtf>();
        SRoomChatRes first = await bob.SayAsync(room, "one", clientMessageId: 7);
        await bob.LeaveAsync(room); // does not help
        SJoinRoomRes joined = await bob.JoinAsync(room);
        SErrorNtf error = await bob.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "two" });
        SRoomChatRes repeated = await bob.SayAsync(room, "one", clientMessageId: 7);
        await eve.SayAsync(room, "three");
        await ann.SayAsync(room, "four");
        await ann.SayAsync(room, "five");

        Assert.Equal(("Ann began slow mode: members speak once in 3600 seconds.", 3600u), (told.Text, told.Terms.SlowModeSeconds));
        Assert.Equal(3600u, joined.Terms.SlowModeSeconds);
        Assert.Equal(ErrorCode.Forbidden, error.Code);
        Assert.InRange(error.RetryAfterMs, 3_000_000u, 3_600_000u);
        Assert.Equal((first.Sequence, true), (repeated.Sequence, repeated.Duplicate));
        await ann.ModerateAsync(SlowMode(room, 0));
        await bob.SayAsync(room, "now");
        await bob.SayAsync(room, "and now");
        Assert.Equal(ErrorCode.MalformedPacket, (await ann.FailToModerateAsync(SlowMode(room, 3601))).Code);
    }

    private static CModerateReq Topic(long room, string topic) =>
        new() { RoomId = room, Action = ModerationAction.SetTopic, Topic = topic };

    private static CModerateReq SlowMode(long room, uint seconds) =>
        new() { RoomId = room, Action = ModerationAction.SetSlowMode, Seconds = seconds };

    private static Task<SListRoomsRes> ListAsync(TestClient client) =>
        client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
}
