using System.Net;
using System.Net.Sockets;
using PlayChat.Benchmark.Run;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Ticks;

/// <summary>A server in this process with rooms that tick, and their members, which read once per second.</summary>
internal sealed class TickLoad(TickSettings settings) : IAsyncDisposable
{
    // So much is under way to a room that is flooded; the rest waits for its queue.
    private const int Flooders = 8;

    private readonly LatencyRecorder _drift = new();
    private readonly List<TickRoom> _rooms = [];
    private readonly List<Socket> _members = [];
    private readonly CancellationTokenSource _stop = new();
    private PlayChatServer? _server;
    private KpiCollector? _figures;
    private Task _background = Task.CompletedTask;

    /// <summary>How late the ticks have been so far.</summary>
    public LatencyHistogram Drift => _drift.Snapshot();

    /// <summary>The server's figures; from <see cref="StartAsync"/> on.</summary>
    public KpiCollector Figures => _figures!;

    /// <summary>Makes rooms and members.</summary>
    public async Task StartAsync()
    {
        int next = -1;
        _server = new PlayChatServer(static o =>
        {
            o.ListenTcp("127.0.0.1:0");
            o.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan; // they only listen
        })
            .OnFrame(static (_, _) => { })
            .OnConnected(session => _ = _rooms[Interlocked.Increment(ref next) % _rooms.Count].JoinAsync(session).AsTask())
            .OnStarting(server => MakeRooms(server.Rooms));
        await _server.StartAsync();
        _figures = new KpiCollector(_server.Metrics);
        var address = (IPEndPoint)_server.EndPoints[0];
        for (int i = 0; i < _rooms.Count * settings.Members; i++)
        {
            var member = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            _members.Add(member);
            await member.ConnectAsync(address);
            member.Blocking = false;
        }

        IEnumerable<Task> floods = Enumerable.Range(0, settings.Flood ? Flooders : 0).Select(_ => Task.Run(FloodAsync));
        _background = Task.WhenAll(floods.Append(Task.Run(DrainAsync)));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _background;
        foreach (Socket member in _members)
        {
            member.Dispose();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        _stop.Dispose();
    }

    private void MakeRooms(RoomRegistry rooms)
    {
        for (int i = 0; i < settings.Rooms; i++)
        {
            _rooms.Add(rooms.Create("ticks", context => new TickRoom(context, settings, _drift)));
        }

        if (settings.Flood)
        {
            _rooms.Add(rooms.Create("flood", context => new TickRoom(context, settings with { Hertz = 0 }, _drift)));
        }
    }

    private async Task FloodAsync()
    {
        while (!_stop.IsCancellationRequested && await _rooms[^1].FloodAsync())
        {
            // Again at once: only the room's queue holds it back.
        }
    }

    private async Task DrainAsync()
    {
        byte[] buffer = new byte[256 * 1024];
        using var timer = new PeriodicTimer(settings.Flood ? TimeSpan.FromMilliseconds(1) : TimeSpan.FromSeconds(1));
        int from = settings.Flood ? _rooms.Count - 1 : 0;
        for (int round = 0; !_stop.IsCancellationRequested; round++)
        {
            await timer.WaitForNextTickAsync(CancellationToken.None);
            for (int i = 0; i < _members.Count; i++)
            {
                // Those of the flooded room have much to take, the others little.
                if (!settings.Flood || i % _rooms.Count == from || i % 1000 == round % 1000)
                {
                    Drain(_members[i], buffer);
                }
            }
        }
    }

    private static void Drain(Socket member, byte[] buffer)
    {
        while (member.Receive(buffer, SocketFlags.None, out _) == buffer.Length)
        {
            // There is more.
        }
    }
}
