using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.Cluster;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>Capacity, password and lock of a room.</summary>
public sealed class RoomDoorTests
{
    private const string Secret = "open sesame";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_room_with_a_password_lets_in_who_knows_it_its_members_and_its_creator_also_after_a_restart(bool isLasting)
    {
        using var folder = new TemporaryDirectory();
        string lasting = $"--Rooms:Lasting={isLasting}";
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.LoginAsync("Bob");
            room = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Password = Secret })).RoomId;

            SErrorNtf missing = await FailToJoinAsync(bob, room, "");
            SErrorNtf wrong = await FailToJoinAsync(bob, room, "open barley");
            RoomInfo listed = Assert.Single((await ListAsync(bob)).Rooms);
            SJoinRoomRes joined = await JoinAsync(bob, room, Secret);

            Assert.Equal(
                (ErrorCode.RoomPasswordRequired, "This room needs a password. Ask one of its moderators for it, and join with it."),
                (missing.Code, missing.Message));
            Assert.Equal(
                (ErrorCode.RoomPasswordRequired, "Incorrect password of the room. Ask one of its moderators for it, and join with it."),
                (wrong.Code, wrong.Message));
            Assert.Equal((true, false), (listed.Terms.HasPassword, listed.Terms.Locked));
            Assert.True(joined.Terms.HasPassword);
            await server.StopAsync(); // before the clients go: a room that does not last would be empty
        }

        await using TestServer restarted = await TestServer.StartInAsync(folder.Path, null, lasting);
        await using TestClient stranger = await restarted.LoginAsync("Eve");
        await using TestClient member = await restarted.LoginAsync("Bob");
        await using TestClient owner = await restarted.LoginAsync("Ann");
        Assert.Equal(ErrorCode.RoomPasswordRequired, (await FailToJoinAsync(stranger, room, "")).Code);
        Assert.True((await owner.JoinAsync(room)).Terms.HasPassword);
        if (isLasting)
        {
            await member.JoinAsync(room);
        }
        else
        {
            Assert.Equal(ErrorCode.RoomPasswordRequired, (await FailToJoinAsync(member, room, "")).Code); // no membership lasts
        }

        await owner.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.SetPassword });
        SRoomChatNtf told = await owner.NextAsync<SRoomChatNtf>(static said => said.Terms is not null);
        Assert.Equal(("Ann removed the password.", false), (told.Text, told.Terms.HasPassword));
        Assert.Null((await stranger.JoinAsync(room)).Terms);
    }

    [Fact]
    public async Task A_moderator_changes_the_password_and_no_member_reads_it()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await ann.ModerateAsync(Password(room, Secret));
        SRoomChatNtf told = await bob.NextAsync<SRoomChatNtf>();

        Assert.Equal("Ann set a password. Members don't need it.", told.Text);
        Assert.Equal(ErrorCode.Forbidden, (await bob.FailToModerateAsync(Password(room, "mine"))).Code);
        Assert.Equal(ErrorCode.RoomPasswordRequired, (await FailToJoinAsync(eve, room, "mine")).Code);
        Assert.Equal(ErrorCode.RoomTermsInvalid, (await ann.FailToModerateAsync(Password(room, new string('x', 257)))).Code);
        await JoinAsync(eve, room, Secret);
        Assert.DoesNotContain(Secret, await bob.ReadTextsAsync(room), StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, server.Console.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Guesses_of_a_player_are_limited_in_all_rooms_together()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long[] rooms =
        [
            (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Password = Secret })).RoomId,
            (await ann.CreateAsync(new CCreateRoomReq { Name = "hall", Password = Secret })).RoomId,
        ];
        SErrorNtf error;
        int guesses = 0;
        do
        {
            error = await FailToJoinAsync(bob, rooms[guesses % 2], $"guess {guesses}");
            guesses++;
        }
        while (error.Code == ErrorCode.RoomPasswordRequired && guesses < 100);

        Assert.Equal(ErrorCode.RateLimited, error.Code);
        Assert.InRange(error.RetryAfterMs, 1u, 6000u);
        await JoinAsync(eve, rooms[0], Secret); // another player need not wait
    }

    [Fact]
    public async Task A_locked_room_lets_in_nobody_new_until_it_is_unlocked()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:Lasting=true");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Password = Secret })).RoomId;

        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Lock });
        SErrorNtf error = await FailToJoinAsync(bob, room, Secret);
        bool isShown = Assert.Single((await ListAsync(bob)).Rooms).Terms.Locked;
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Invite, PlayerName = "Eve" });

        Assert.Equal(
            (ErrorCode.RoomLocked, "This room is locked: only its members enter. Ask one of its moderators to unlock it."),
            (error.Code, error.Message));
        Assert.True(isShown);
        await eve.JoinAsync(room); // invited: a member
        await ann.LeaveAsync(room);
        await ann.JoinAsync(room); // it is hers
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Unlock });
        await JoinAsync(bob, room, Secret);
    }

    [Fact]
    public async Task A_room_takes_as_many_players_as_its_creator_or_a_moderator_has_said()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Rooms:MaxMembers=5");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Capacity = 2 })).RoomId;
        await bob.JoinAsync(room);

        SErrorNtf full = await FailToJoinAsync(eve, room, "");
        RoomInfo listed = Assert.Single((await ListAsync(eve)).Rooms);
        SErrorNtf one = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "x", Capacity = 1 });
        (ErrorCode Code, string Message) six = await ann.FailToModerateAsync(Capacity(room, 6));

        Assert.Equal(
            (ErrorCode.RoomFull, $"Room {room} is full (2 members). Try again later, or join another room."), (full.Code, full.Message));
        Assert.Equal((2u, 2u, 2u), (listed.Members, listed.MaxMembers, listed.Terms.Capacity));
        Assert.Equal(
            (ErrorCode.RoomTermsInvalid, "A room takes 2 to 5 players on this server. Choose another capacity."), (one.Code, one.Message));
        Assert.Equal(ErrorCode.RoomTermsInvalid, six.Code);
        await ann.ModerateAsync(Capacity(room, 3));
        await eve.JoinAsync(room);
        await ann.ModerateAsync(Capacity(room, 0));
        Assert.Equal(5u, Assert.Single((await ListAsync(eve)).Rooms).MaxMembers);
    }

    [Fact]
    public async Task Rooms_of_a_cluster_that_do_not_last_have_neither()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");

        SErrorNtf error = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "den", Password = Secret });
        SErrorNtf capacity = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "den", Capacity = 2 });
        long room = (await ann.CreateAsync("den")).RoomId;

        Assert.Equal(
            (
                ErrorCode.Forbidden,
                "Rooms of this cluster don't last, so they have no capacity and no password of their own, and none is private. Create one "
                    + "without them."),
            (error.Code, error.Message));
        Assert.Equal(ErrorCode.Forbidden, capacity.Code);
        Assert.Equal(ErrorCode.Forbidden, (await ann.FailToModerateAsync(Password(room, Secret))).Code);
        Assert.Equal(
            ErrorCode.Forbidden,
            (await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Lock })).Code);
    }

    private static CModerateReq Password(long room, string password) =>
        new() { RoomId = room, Action = ModerationAction.SetPassword, Password = password };

    private static CModerateReq Capacity(long room, uint capacity) =>
        new() { RoomId = room, Action = ModerationAction.SetCapacity, Capacity = capacity };

    private static Task<SJoinRoomRes> JoinAsync(TestClient client, long room, string password) =>
        client.AskAsync<CJoinRoomReq, SJoinRoomRes>(
            ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room, Password = password });

    private static Task<SErrorNtf> FailToJoinAsync(TestClient client, long room, string password) =>
        client.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room, Password = password });

    private static Task<SListRoomsRes> ListAsync(TestClient client) =>
        client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
}
