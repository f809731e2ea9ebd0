using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomDirectoryTests
{
    [Fact]
    public async Task Pages_follow_each_other_by_id_and_end()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(); // its own room is the first
        long[] ids = [harness.Room.Id, .. Enumerable.Range(0, 999).Select(_ => Create(harness, "room").Id)];

        List<long> seen = [];
        List<int> lengths = [];
        bool hasMore;
        long after = 0;
        do
        {
            IReadOnlyList<RoomDescription> page = harness.Server.Rooms.List(new RoomQuery { AfterId = after, Limit = 300 }, out hasMore);
            seen.AddRange(page.Select(static room => room.Id));
            lengths.Add(page.Count);
            after = page[^1].Id;
        }
        while (hasMore);

        Assert.Equal(ids, seen);
        Assert.Equal([300, 300, 300, 100], lengths);
        Assert.Empty(harness.Server.Rooms.List(new RoomQuery { AfterId = after }, out _));
        Assert.Empty(harness.Server.Rooms.List(new RoomQuery { AfterId = long.MaxValue }, out _));
        harness.Server.Rooms.List(new RoomQuery { Limit = 1000 }, out hasMore);
        Assert.False(hasMore);
    }

    [Fact]
    public async Task A_filter_finds_what_is_behind_many_that_do_not_match()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        for (int i = 0; i < 1000; i++)
        {
            Create(harness, "noise");
        }

        MemberRoom red = Create(harness, "Arena red", new(StringComparer.Ordinal) { ["map"] = "ice", ["mode"] = "duel" });
        MemberRoom blue = Create(harness, "arena blue", new(StringComparer.Ordinal) { ["map"] = "ice" });
        MemberRoom other = Create(harness, "lobby", new(StringComparer.Ordinal) { ["map"] = "sand" });

        Assert.Equal([red.Id, blue.Id], Ids(harness, new RoomQuery { NamePrefix = "ARENA" }));
        Dictionary<string, string> wanted = new(StringComparer.Ordinal) { ["map"] = "ice" };
        Assert.Equal([red.Id, blue.Id], Ids(harness, new RoomQuery { Properties = wanted }));
        wanted["mode"] = "duel";
        Assert.Equal([red.Id], Ids(harness, new RoomQuery { Properties = wanted }));
        Assert.Equal([other.Id], Ids(harness, new RoomQuery { Where = room => room == other }));
        IReadOnlyList<RoomDescription> first = harness.Server.Rooms.List(
            new RoomQuery { NamePrefix = "arena", Limit = 1 }, out bool hasMore);
        Assert.Equal((red.Id, true), (Assert.Single(first).Id, hasMore));
    }

    [Fact]
    public async Task A_private_room_is_not_listed_and_can_be_joined_by_its_id()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        MemberRoom room = harness.Server.Rooms.Create(
            new RoomSettings { Name = "hidden", IsPrivate = true }, static context => new MemberRoom(context));

        Assert.Equal([harness.Room.Id], Ids(harness, new RoomQuery()));
        Assert.True((await ((MemberRoom)harness.Server.Rooms.Find(room.Id)!).JoinAsync((await harness.ConnectAsync()).Session)).IsJoined);
        await room.RequestAsync(static r =>
        {
            r.SetPrivate(false);
            return true;
        });
        Assert.Equal([harness.Room.Id, room.Id], Ids(harness, new RoomQuery()));
    }

    [Fact]
    public async Task What_the_turn_changes_is_seen_in_the_room_s_info()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        MemberRoom room = harness.Server.Rooms.Create(
            new RoomSettings
            {
                Name = "lobby",
                Capacity = 3,
                OwnerId = 7,
                Password = "open",
                Properties = new Dictionary<string, string>(StringComparer.Ordinal) { ["map"] = "ice" },
            },
            static context => new MemberRoom(context));
        RoomDescription before = room.Info;
        await room.JoinAsync((await harness.ConnectAsync()).Session, "open");

        RoomDescription after = await room.RequestAsync(static r =>
        {
            r.Lock();
            r.SetOwner(8);
            r.SetPassword(null);
            r.SetProperty("map", null);
            r.SetProperty("mode", "duel");
            return r.Info;
        });

        Assert.Equal(
            (room.Id, "lobby", 0, 3, false, true, 7L),
            (before.Id, before.Name, before.MemberCount, before.Capacity, before.IsLocked, before.HasPassword, before.OwnerId));
        Assert.Equal("ice", Assert.Single(before.Properties).Value);
        Assert.Equal((1, true, false, 8L, false), (after.MemberCount, after.IsLocked, after.HasPassword, after.OwnerId, after.IsJoinable));
        Assert.Equal(("mode", "duel"), (Assert.Single(after.Properties).Key, after.Properties["mode"]));
        Assert.Equal([harness.Room.Id], Ids(harness, new RoomQuery { OnlyJoinable = true }));
    }

    [Fact]
    public async Task A_lock_and_a_password_refuse_a_join_and_not_a_session_that_the_room_lets_in()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        MemberRoom room = harness.Server.Rooms.Create(
            new RoomSettings { Name = "closed", Password = "пароль" }, static context => new MemberRoom(context));
        Session member = (await harness.ConnectAsync()).Session;
        Session invited = (await harness.ConnectAsync()).Session;

        Assert.Equal(JoinStatus.WrongPassword, (await room.JoinAsync(member)).Status);
        Assert.Equal(JoinStatus.WrongPassword, (await room.JoinAsync(member, "парол")).Status);
        Assert.Equal(JoinStatus.Joined, (await room.JoinAsync(member, "пароль")).Status);
        Assert.Equal(JoinStatus.AlreadyMember, (await room.JoinAsync(member)).Status);
        JoinResult<TestMember> locked = await room.RequestAsync(r =>
        {
            r.Lock();
            return r.Join(invited);
        });
        Assert.True(locked.IsJoined);
        JoinResult<TestMember> late = await room.JoinAsync((await harness.ConnectAsync()).Session, "пароль");
        Assert.Equal((JoinStatus.Locked, "The room is locked."), (late.Status, late.Reason));
        await room.RequestAsync(static r =>
        {
            r.Unlock();
            return true;
        });
        Assert.True((await room.JoinAsync((await harness.ConnectAsync()).Session, "пароль")).IsJoined);
    }

    [Fact]
    public async Task Capacity_holds_below_the_server_s_own_bound()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(static server => server.Options.Rooms.MaxMembers = 5);
        MemberRoom small = harness.Server.Rooms.Create(
            new RoomSettings { Name = "duel", Capacity = 1 }, static context => new MemberRoom(context));
        MemberRoom large = harness.Server.Rooms.Create(
            new RoomSettings { Name = "crowd", Capacity = 50 }, static context => new MemberRoom(context));

        Assert.True((await small.JoinAsync((await harness.ConnectAsync()).Session)).IsJoined);
        Assert.Equal(JoinStatus.Full, (await small.JoinAsync((await harness.ConnectAsync()).Session)).Status);
        Assert.Equal(5, large.Info.Capacity);
        Assert.Equal([harness.Room.Id, large.Id], Ids(harness, new RoomQuery { OnlyJoinable = true }));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => harness.Server.Rooms.Create(new RoomSettings { Name = "none", Capacity = 0 }, static context => new MemberRoom(context)));
    }

    [Fact]
    public async Task A_room_that_removes_itself_when_it_is_empty_is_found_no_more()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        MemberRoom left = CreatePassing(harness);
        MemberRoom lost = CreatePassing(harness);
        MemberRoom never = CreatePassing(harness);
        HarnessClient[] clients = await harness.ConnectAsync(3);
        Session session = clients[0].Session;
        await left.JoinAsync(session);
        await lost.JoinAsync(clients[1].Session);

        await left.LeaveAsync(session);
        clients[1].Break();
        clients[2].Break();
        await harness.IdleAsync();
        await never.JoinAsync(clients[2].Session);
        await harness.IdleAsync();

        Assert.All([left, lost, never], room => Assert.Null(harness.Server.Rooms.Find(room.Id)));
        Assert.Equal([harness.Room.Id], Ids(harness, new RoomQuery()));
        Assert.Equal(["create", "joining", "enter", "leave Left", "empty", "dispose"], left.Hooks);
        Assert.Equal(JoinStatus.Removed, (await left.JoinAsync(session)).Status);
    }

    [Fact]
    public async Task A_request_is_answered_with_its_result_or_its_fault()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(server => server.UseLogging(logger));
        MemberRoom room = Create(harness, "asked");

        Assert.Equal(0, await room.RequestAsync(static r => r.Members.Count));
        await Assert.ThrowsAsync<FormatException>(
            async () => await room.RequestAsync<MemberRoom, int>(static _ => throw new FormatException("a fault")));
        await room.RequestAsync(static r =>
        {
            r.Remove();
            return true;
        });
        RoomRemovedException removed = await Assert.ThrowsAsync<RoomRemovedException>(
            async () => await room.RequestAsync(static r => r.Id));

        Assert.Equal($"Room {room.Id} was removed.", removed.Message);
        Assert.Equal(0, logger.Count("JobFault"));
    }

    private static MemberRoom Create(RoomHarness<TestRoom> harness, string name, Dictionary<string, string>? properties = null) =>
        harness.Server.Rooms.Create(
        new RoomSettings { Name = name, Properties = properties ?? [] }, static context => new MemberRoom(context));

    private static MemberRoom CreatePassing(RoomHarness<TestRoom> harness) =>
        harness.Server.Rooms.Create(
            new RoomSettings { Name = "passing", RemoveWhenEmpty = true }, static context => new MemberRoom(context));

    private static long[] Ids(RoomHarness<TestRoom> harness, RoomQuery query) =>
        [.. harness.Server.Rooms.List(query, out _).Select(static room => room.Id)];
}
