using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>Where a room and a handler find the server's rooms and sessions.</summary>
public sealed class ServerPartsTests
{
    [Fact]
    public async Task AddRoom_takes_a_factory_and_the_context_has_the_rooms()
    {
        await using var harness = new ServerHarness();
        await harness.StartAsync(static server => server
            .AddRoom("one", static context => new SizedRoom(context, 3))
            .AddRoom(new RoomSettings { Name = "two", Capacity = 5 }, static context => new SizedRoom(context, 4))
            .OnFrame(static (_, _) => { }));

        RoomRegistry rooms = harness.Server.Rooms;
        Assert.Equal((3, 4), (rooms.Get<SizedRoom>("one").Size, rooms.Get<SizedRoom>("two").Size));
        Assert.Equal(5, rooms.Get<SizedRoom>("two").Info.Capacity);
        Assert.Same(rooms, rooms.Get<SizedRoom>("one").Rooms);
    }

    [Fact]
    public async Task A_handler_finds_the_sessions_and_a_client_has_none()
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(7));
        var seen = new TaskCompletionSource<(SessionRegistry Sessions, SessionUser? User)>();
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(packets, router => router.MapPacket<string>((context, name) =>
        {
            context.Sessions.Bind(context.Session, new SessionUser(1, name));
            seen.SetResult((context.Sessions, context.Session.User));
        }));
        HarnessClient client = await harness.ConnectAsync();

        client.SendPacket("ada");

        (SessionRegistry sessions, SessionUser? user) = await seen.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Same(harness.Server.Sessions, sessions);
        Assert.Equal("ada", user?.Name);
        Assert.Throws<InvalidOperationException>(() => new PacketContext { Connection = client.Connection }.Sessions);
    }

    private sealed class SizedRoom(RoomContext context, int size) : PlainRoom(context)
    {
        internal int Size => size;

        internal RoomRegistry Rooms { get; } = context.Rooms;
    }
}
