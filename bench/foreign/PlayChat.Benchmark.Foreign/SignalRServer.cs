namespace PlayChat.Benchmark.Foreign;

/// <summary>SignalR in this process, on Kestrel, over WebSockets. It finds the request of an answer by its own invocation ids.</summary>
internal static class SignalRServer
{
    public const string Path = "/hub";

    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Logging.ClearProviders();
        builder.Services.AddRoutingCore();
        builder.Services.AddSingleton<BaselineCounters>();
        builder.Services.AddSingleton<SignalRRooms>();
        builder.Services.AddSignalR(static options => options.MaximumReceiveMessageSize = 2 * BaselineFraming.MaxBodyBytes);
        builder.WebHost.UseKestrelCore()
            .UseSockets(static sockets => sockets.Backlog = BaselineSettings.Backlog)
            .ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, settings.Port));
        WebApplication application = builder.Build();
        application.MapHub<BenchmarkHub>(Path);
        await application.StartAsync();
        return new WebServer(application, application.Services.GetRequiredService<BaselineCounters>());
    }
}

/// <summary>The number of members of each room, which SignalR's groups do not tell. Thread-safe.</summary>
internal sealed class SignalRRooms
{
    private readonly ConcurrentDictionary<string, int> _members = new(StringComparer.Ordinal);

    public void Add(string room, int members) => _members.AddOrUpdate(room, members, (_, before) => before + members);

    public int CountOf(string room) => _members.GetValueOrDefault(room);
}

/// <summary>What clients call. Public methods are the hub's protocol.</summary>
internal sealed class BenchmarkHub(BaselineCounters counters, SignalRRooms rooms) : Hub
{
    /// <summary>The client's method for a message of its room.</summary>
    public const string Heard = "heard";

    private const string RoomKey = "room";

    public override Task OnConnectedAsync()
    {
        counters.OnAccepted();
        return base.OnConnectedAsync();
    }

    public override Task OnDisconnectedAsync(Exception? exception)
    {
        counters.OnClosed();
        if (Context.Items[RoomKey] is string room)
        {
            rooms.Add(room, -1);
        }

        return base.OnDisconnectedAsync(exception);
    }

    public byte[] Echo(byte[] payload)
    {
        counters.OnReceived(payload.Length, frames: 1);
        counters.OnEchoed(1);
        counters.OnSent(payload.Length, operations: 0); // SignalR sends on its own
        return payload;
    }

    public Task Join(string room)
    {
        Context.Items[RoomKey] = room;
        rooms.Add(room, 1);
        return Groups.AddToGroupAsync(Context.ConnectionId, room);
    }

    public Task Say(byte[] payload)
    {
        string room = (string)Context.Items[RoomKey]!;
        counters.OnReceived(payload.Length, frames: 1);
        counters.OnDelivered(rooms.CountOf(room));
        return Clients.Group(room).SendAsync(Heard, payload);
    }
}
