using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>The ends of rooms whose server has no patience (left).</summary>
public sealed class StopRoomsTests
{
    private EndingRoom? _room;

    [Theory]
    [InlineData(0)]
    [InlineData(20)] // the interval has not passed, and the clock stands still
    public async Task Rooms_end_when_a_server_is_only_disposed_of(int flushIntervalMilliseconds)
    {
        await using ServerHarness harness =
            await StartAsync(o => o.Rooms.FlushInterval = TimeSpan.FromMilliseconds(flushIntervalMilliseconds));
        await harness.ConnectAsync();
        await Eventually.TrueAsync(() => _room!.MemberCount == 1);
        Assert.True(_room!.Post(static (EndingRoom room) => room.Say()));

        await harness.Server.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, _room!.MembersAtEnd);
    }

    [Fact]
    public async Task Rooms_end_when_a_stop_has_no_patience()
    {
        await using ServerHarness harness = await StartAsync(static o => o.StopTimeout = TimeSpan.Zero);
        await harness.ConnectAsync();

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, _room!.MembersAtEnd);
    }

    [Fact]
    public async Task Rooms_end_when_the_patience_of_a_stop_is_over()
    {
        await using ServerHarness harness = await StartAsync(static o => o.Connections.CloseTimeout = TimeSpan.FromMinutes(10));
        TransportConnection client = await harness.ConnectAsync(); // never ends its side

        Task stopping = harness.Server.StopAsync();
        Assert.Empty(await client.ReceiveToEndAsync());
        Assert.Null(_room!.MembersAtEnd);
        harness.Time.Advance(harness.Server.Options.StopTimeout);
        await stopping.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, _room!.MembersAtEnd);
    }

    [Fact]
    public async Task A_turn_that_does_not_return_holds_up_no_stop()
    {
        await using ServerHarness harness = await StartAsync();
        using HeldRoom held = await HeldRoom.HoldAsync(_room!);

        Task stopping = harness.Server.DisposeAsync().AsTask();
        await Eventually.TrueAsync(() =>
        {
            harness.Time.Advance(TimeSpan.FromSeconds(1));
            return stopping.IsCompleted;
        });

        await stopping;
        Assert.Equal(1, harness.Logger.Count("RoomsLeft"));
        Assert.Equal(0, harness.Logger.Count("HandlersLeft"));
    }

    private Task<ServerHarness> StartAsync(Action<PlayChatOptions>? options = null) =>
        new ServerHarness(options).StartAsync(server => server
        .OnStarting(started => _room = started.Rooms.Create("lobby", static context => new EndingRoom(context)))
        .OnConnected(session => _room!.Post(static (EndingRoom room, Session s) => room.Join(s), session))
        .OnFrame(static (_, _) => { }));

    private sealed class EndingRoom(RoomContext context) : PlainRoom(context)
    {
        /// <summary>How many members there were in <see cref="OnDispose"/>; <see langword="null"/> when it has not been called.</summary>
        internal int? MembersAtEnd { get; private set; }

        internal new void Join(Session session) => base.Join(session);

        internal void Say() => Broadcast([1]);

        protected override void OnDispose() => MembersAtEnd = MemberCount;
    }
}
