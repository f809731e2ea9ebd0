using PlayChat.Cluster.Directory;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Clients;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A server of a test that shares the hall, with its clients.</summary>
internal sealed class HallNode : IAsyncDisposable
{
    private readonly InMemoryTransport _transport = new();
    private readonly IClusterDirectory _directory;
    private readonly PlayChatServer _server;
    private readonly PlayChatConnector _connector;
    private readonly string _hall;

    public HallNode(BackplaneSpace space, string hall, Func<NodeSwitch, RoomClusterOptions> configure)
    {
        _hall = hall;
        Switch = new NodeSwitch(space.Readers);
        RoomClusterOptions cluster = configure(Switch);
        _directory = cluster.Directory;
        _server = new PlayChatServer(static options =>
            {
                options.ListenTcp("127.0.0.1:0");
                options.Sessions.ResumeWindow = TimeSpan.FromMinutes(1);
            })
            .UseLogging(Log)
            .UseTime(space.Time)
            .UseTransport(_transport)
            .UsePackets(HallPackets.All)
            .UseRoomCluster(cluster)
            .OnPackets(Map);
        _connector = new PlayChatConnector(
            FrameFormat.Packet(),
            HallPackets.All,
            static router =>
            {
                router.MapPacket<Said>(static (context, said) => context.Connection.Get<HallClient>()!.Hear(said.Text));
                router.MapPacket<Told>(static (_, _) => { });
            },
            transport: _transport);
    }

    public NodeSwitch Switch { get; }

    public RecordingLogger Log { get; } = new();

    public PlayChatServer Server => _server;

    public Hall Hall => _server.Rooms.Get<Hall>(_hall);

    public async Task StartAsync(RoomSettings settings, Func<RoomContext, Hall>? make)
    {
        if (make is null)
        {
            _server.AddRoom<Hall>(settings);
            await _server.StartAsync();
        }
        else
        {
            await _server.StartAsync();
            _server.Rooms.Create(settings, make);
        }
    }

    public Task StopAsync() => _server.StopAsync().WaitAsync(TestTimeouts.Hang);

    /// <summary>Creates the node's replica of the hall again.</summary>
    public void CreateHall(bool removeWhenEmpty = false) => _server.Rooms.Create<Hall>(
        new RoomSettings { Name = _hall, IsClustered = true, RemoveWhenEmpty = removeWhenEmpty });

    /// <summary>Removes the node's replica of the hall, and completes when it is gone.</summary>
    public async Task RemoveHallAsync()
    {
        await Hall.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => _server.Rooms.Count == 0);
    }

    public async Task<HallClient> ConnectAsync()
    {
        var client = new HallClient();
        client.Attach(await _connector.ConnectAsync(_server.EndPoints[0], connection => connection.Set(client)));
        return client;
    }

    /// <summary>Connects a client that is a member of the hall, under a name.</summary>
    public async Task<HallClient> JoinAsync(string name)
    {
        HallClient client = await ConnectAsync();
        Assert.Equal("ok", await client.EnterAsync(name));
        await client.WaitForAsync($"welcome {name} {name}");
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        Switch.Hear();
        await _connector.DisposeAsync();
        await _server.DisposeAsync();
        await _directory.DisposeAsync();
    }

    private void Map(PacketRouter router)
    {
        router.MapPacket<Enter>(async (context, enter, stop) =>
        {
            if (context.Session.User is null)
            {
                _server.Sessions.Bind(context.Session, new SessionUser(context.Session.Id, enter.Name));
            }

            string[] parts = enter.Name.Split('/');
            JoinResult<Guest> result =
                await Hall.JoinAsync(context.Session, new Enter(parts[0]), parts.ElementAtOrDefault(1), stop);
            context.Reply(new Entered(result.Status == JoinStatus.Joined ? "ok" : $"{result.Status}: {result.Reason}"));
        });
        MapHall(router);
    }

    /// <summary>Maps what the hall itself handles.</summary>
    public static void MapHall(PacketRouter router)
    {
        router.MapRoomPacket<Hall, Guest, Say>(static (hall, _, guest, say) => hall.OnSay(guest, say));
        router.MapRoomRequest<Hall, Guest, Ask, Told>(static (hall, context, guest, ask) => hall.OnAsk(context, guest, ask));
    }
}
