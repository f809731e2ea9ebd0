using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class StopTests
{
    private EntryRoom? _room;

    [Fact]
    public async Task Stopping_delivers_what_rooms_had_queued_then_tells_and_closes()
    {
        using var hold = new ManualResetEventSlim();
        var joining = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnClosing(static (connection, reason) => connection.Send([(byte)reason]))
            .OnConnected(session =>
            {
                _room!.Post(static (EntryRoom room, Session s) => room.Join(s), session);
                joining.SetResult();
            })
            .OnStarting(started => _room = started.Rooms.Create("lobby", static context => new EntryRoom(context)))
            .OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();
        await joining.Task.WaitAsync(TestTimeouts.Hang);
        _room!.Post((EntryRoom _) => hold.Wait(TestTimeouts.Hang));
        for (byte i = 0; i < 50; i++)
        {
            Assert.True(_room!.Post(static (EntryRoom room, object number) => room.Say((byte)number), (object)i));
        }

        Task stopping = harness.Server.StopAsync();
        Assert.False(stopping.IsCompleted);
        hold.Set();
        byte[] received = await client.ReceiveToEndAsync();
        client.Shutdown();

        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(
            [
                .. Enumerable.Range(0, 50).SelectMany(static i => ServerHarness.Frame((byte)i)),
                .. ServerHarness.Frame(CloseReason.ServerShutdown),
            ],
            received);
        Assert.Equal(0, harness.Server.Sessions.Count);
    }

    [Fact]
    public async Task A_stop_that_takes_too_long_aborts_what_is_left()
    {
        await using ServerHarness harness =
            await new ServerHarness(o => o.Connections.CloseTimeout = TimeSpan.FromMinutes(10)).StartAsync();
        TransportConnection client = await harness.ConnectAsync(); // never ends its side

        Task stopping = harness.Server.StopAsync();
        Assert.Empty(await client.ReceiveToEndAsync());
        Assert.False(stopping.IsCompleted);
        harness.Time.Advance(TimeSpan.FromSeconds(10));

        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.PeerClosed, client.EndReason); // its FIN came before the reset
        Assert.Equal(1, harness.Logger.Count("Aborting"));
    }

    [Fact]
    public async Task Disposing_during_a_stop_ends_it_at_once()
    {
        await using ServerHarness harness = await new ServerHarness().StartAsync();
        await harness.ConnectAsync();
        Task stopping = harness.Server.StopAsync();

        await harness.Server.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        await stopping.WaitAsync(TestTimeouts.Hang);
        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task Nobody_is_accepted_any_more_once_the_server_stops()
    {
        await using ServerHarness harness = await new ServerHarness().StartAsync();

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await Assert.ThrowsAsync<ConnectFailedException>(() => harness.ConnectOnlyAsync());
    }

    [Fact]
    public async Task Connects_in_the_midst_of_a_stop_are_all_ended()
    {
        for (int round = 0; round < 50; round++)
        {
            await using ServerHarness harness = await new ServerHarness().StartAsync();
            List<Task> clients = [];
            for (int i = 0; i < 20; i++)
            {
                clients.Add(Task.Run(async () =>
                {
                    try
                    {
                        TransportConnection client =
                            await harness.Transport.ConnectAsync(harness.Server.EndPoints[0], harness.Server.Options.Transport);
                        await client.SendAsync(ServerHarness.Frame(1));
                        await client.ReceiveToEndAsync();
                        client.Shutdown();
                    }
                    catch (ConnectFailedException)
                    {
                        // It came after the end.
                    }
                }));
            }

            await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
            await Task.WhenAll(clients).WaitAsync(TestTimeouts.Hang);
            Assert.Equal(0, harness.Server.Sessions.Count);
        }
    }

    private sealed class EntryRoom(RoomContext context) : PlainRoom(context)
    {
        internal new void Join(Session session) => base.Join(session);

        internal void Say(byte number) => Broadcast([number]);
    }
}
