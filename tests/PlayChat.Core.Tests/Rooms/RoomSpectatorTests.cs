using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Dispatch;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomSpectatorTests
{
    [Fact]
    public async Task Spectators_take_no_seat_and_have_a_capacity_of_their_own()
    {
        await using RoomHarness<WatchedRoom> harness = await StartAsync();
        WatchedRoom room = Create(harness, seats: 1, spectators: 2);
        HarnessClient[] clients = await harness.ConnectAsync(6);

        (JoinStatus, string?)[] results =
        [
            await JoinAsync(room, clients[0], "watch"),
            await JoinAsync(room, clients[1], "watch"),
            await JoinAsync(room, clients[2], "watch"),
            await JoinAsync(room, clients[3], "play"),
            await JoinAsync(room, clients[4], "play"),
        ];

        Assert.Equal(
            [
                (JoinStatus.Joined, null), (JoinStatus.Joined, null), (JoinStatus.Full, "The room takes no more spectators."),
                (JoinStatus.Joined, null), (JoinStatus.Full, "The room is full."),
            ],
            results);
        RoomDescription info = room.Info;
        Assert.Equal((3, 2, 1, 2, false), (info.MemberCount, info.SpectatorCount, info.Capacity, info.SpectatorCapacity, info.IsJoinable));

        await room.LeaveAsync(clients[0].Session); // the last member takes its place
        await room.LeaveAsync(clients[3].Session);

        Assert.Equal((1, 1, true), (room.Info.MemberCount, room.Info.SpectatorCount, room.Info.IsJoinable));
        Assert.Equal(JoinStatus.Joined, (await JoinAsync(room, clients[2], "watch")).Status);
        Assert.Equal(JoinStatus.Full, (await JoinAsync(room, clients[5], "watch")).Status);
        Assert.Equal(JoinStatus.Joined, (await JoinAsync(room, clients[5], "play")).Status);
    }

    [Fact]
    public async Task A_room_without_places_for_spectators_asks_nobody_when_its_seats_are_taken()
    {
        await using RoomHarness<WatchedRoom> harness = await StartAsync();
        WatchedRoom room = Create(harness, seats: 1, spectators: 0);
        HarnessClient[] clients = await harness.ConnectAsync(3);

        Assert.Equal((JoinStatus.Full, "The room takes no more spectators."), await JoinAsync(room, clients[0], "watch"));
        Assert.Equal(JoinStatus.Joined, (await JoinAsync(room, clients[1], "play")).Status);
        Assert.Equal((JoinStatus.Full, "The room is full."), await JoinAsync(room, clients[2], "watch"));
        Assert.Equal(2, room.Asked);
        Assert.Throws<ArgumentOutOfRangeException>(() => Create(harness, seats: 1, spectators: -1));
    }

    [Fact]
    public async Task A_spectator_gets_what_the_room_says_and_is_not_heard()
    {
        await using RoomHarness<WatchedRoom> harness = await StartAsync();
        WatchedRoom room = Create(harness, seats: 1, spectators: 1);
        HarnessClient[] clients = await harness.ConnectAsync(2);
        await JoinAsync(room, clients[0], "play");
        await JoinAsync(room, clients[1], "watch");

        await harness.SayAsync(clients[1], 7, "from the spectator");
        await harness.SayAsync(clients[0], 7, "from the player");

        Assert.Equal(["from the player"], room.Heard);
        Assert.Equal(["from the player"], clients[0].Received<string>());
        Assert.Equal([$"not heard in {room.Id}", "from the player"], clients[1].Received<string>());
    }

    private static Task<RoomHarness<WatchedRoom>> StartAsync() => RoomHarness.StartAsync(
        static context => new WatchedRoom(context),
        new PacketSet().Add(new TextPacket(7)),
        static server => server.OnPackets(static router =>
        {
            router.MapRoomPacket<WatchedRoom, RoomMember, string>(static (room, _, _, text) => room.Hear(text));
            router.OnNoRoom = static (context, roomId) => context.Reply($"not heard in {roomId}");
        }));

    private static WatchedRoom Create(RoomHarness<WatchedRoom> harness, int seats, int spectators) => harness.Server.Rooms.Create(
        new RoomSettings { Name = "watched", Capacity = seats, SpectatorCapacity = spectators },
        static context => new WatchedRoom(context));

    private static async Task<(JoinStatus Status, string? Reason)> JoinAsync(WatchedRoom room, HarnessClient client, string wish)
    {
        JoinResult<RoomMember> joined = await room.JoinAsync(client.Session, wish, null, TestContext.Current.CancellationToken);
        return (joined.Status, joined.Reason);
    }

    private sealed class WatchedRoom(RoomContext context) : Room<RoomMember, string>(context)
    {
        internal List<string> Heard { get; } = [];

        internal int Asked { get; private set; }

        internal void Hear(string text)
        {
            Heard.Add(text);
            BroadcastPacket(text);
        }

        protected override JoinDecision<RoomMember> OnJoining(Session session, string wish)
        {
            Asked++;
            return new RoomMember(session) { IsSpectator = wish == "watch" };
        }
    }
}
