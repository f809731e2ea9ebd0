using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Dispatch;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Rooms that are created by their type and found by their name.</summary>
public sealed class RoomCreationTests
{
    [Fact]
    public async Task A_room_is_created_with_the_services_that_its_constructor_takes()
    {
        var clock = new Clock();
        await using ServiceProvider services = new ServiceCollection().AddSingleton(clock).BuildServiceProvider();
        await using RoomHarness<TestRoom> harness =
            await TestRoom.StartAsync(server => server.UseServices(services).AddRoom<Tower>("tower"));

        Tower tower = harness.Server.Rooms.Get<Tower>("tower");
        Tower passing = harness.Server.Rooms.Create<Tower>(new RoomSettings { Name = "passing", Capacity = 3 });

        Assert.Same(clock, tower.Clock);
        Assert.Same(services, tower.Services);
        Assert.Equal(("passing", 3), (passing.Name, passing.Info.Capacity));
    }

    [Fact]
    public async Task A_server_without_services_creates_the_rooms_that_need_none()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();

        TickRoom room = harness.Server.Rooms.Create<TickRoom>("ticks");
        InvalidOperationException missing =
            Assert.Throws<InvalidOperationException>(() => harness.Server.Rooms.Create<Tower>("tower"));

        Assert.Same(room, harness.Server.Rooms.Find(room.Id));
        Assert.Contains(nameof(Clock), missing.Message, StringComparison.Ordinal);
        Assert.Null(harness.Server.Rooms.Find<Tower>("tower"));
    }

    [Fact]
    public async Task Of_rooms_with_one_name_the_first_of_the_type_is_found_until_it_is_removed()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        RoomRegistry rooms = harness.Server.Rooms;
        TickRoom other = rooms.Create<TickRoom>("hall");
        TestRoom first = rooms.Create<TestRoom>("hall");
        TestRoom second = rooms.Create<TestRoom>(new RoomSettings { Name = "hall", IsPrivate = true });

        Assert.Same(other, rooms.Find<Room>("hall"));
        Assert.Same(first, rooms.Get<TestRoom>("hall"));
        Assert.Null(rooms.Find<TestRoom>("Hall"));
        first.Post(static room => room.Remove());
        await harness.IdleAsync();
        Assert.Same(second, rooms.Get<TestRoom>("hall"));
        second.Post(static room => room.Remove());
        await harness.IdleAsync();

        Assert.Null(rooms.Find<TestRoom>("hall"));
        InvalidOperationException missing = Assert.Throws<InvalidOperationException>(() => rooms.Get<TestRoom>("hall"));
        Assert.StartsWith("There is no TestRoom named 'hall'.", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_restored_room_is_found_by_its_name_before_those_that_were_created_later()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        RoomRegistry rooms = harness.Server.Rooms;
        rooms.ContinueAfter(100);
        TestRoom later = rooms.Create<TestRoom>("hall");
        Assert.Same(later, rooms.Get<TestRoom>("hall"));

        TestRoom? restored = rooms.Restore(50, new RoomSettings { Name = "hall" }, static context => new TestRoom(context));

        Assert.Same(restored, rooms.Get<TestRoom>("hall"));
    }

    [Fact]
    public async Task A_handler_reaches_the_rooms_of_its_server()
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            TextPackets.All,
            static router => router.MapPacket<string>(
                static (context, name) => context.Reply($"{context.Rooms.Find<Room>(name)?.Id}"), 7),
            static server => server.AddRoom<TestRoom>("hall"));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "hall");

        Assert.Equal([$"{harness.Server.Rooms.Get<TestRoom>("hall").Id}"], client.Received<string>());
        Assert.Throws<InvalidOperationException>(() => new PacketContext(client.Connection, 7, 0).Rooms);
    }

    private sealed class Clock;

    private sealed class Tower(RoomContext context, Clock clock) : PlainRoom(context)
    {
        internal Clock Clock => clock;

        internal IServiceProvider Services { get; } = context.Services;
    }
}
