using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>
/// Rooms without a server, with sessions on stub links: for what is seen inside alone, such as sends that are held, lanes, memory by the buffer, and turns on the test's own thread. All else is tested on
/// <see cref="RoomHarness{TRoom}"/>. Its end is checked for leaks.
/// </summary>
internal sealed class StubRoomHarness : IAsyncDisposable
{
    private readonly List<Session> _sessions = [];
    private readonly Dictionary<Session, StubLink> _links = [];
    private readonly ConnectionServices _connections;

    internal StubRoomHarness(Action<RoomOptions>? rooms = null, Action<ConnectionOptions>? connections = null, TimeProvider? time = null)
    {
        time ??= Time;
        var roomOptions = new RoomOptions();
        rooms?.Invoke(roomOptions);
        var connectionOptions = new ConnectionOptions();
        connections?.Invoke(connectionOptions);
        Metrics = new ServerMetrics(time: time);
        _connections = new ConnectionServices
        {
            Format = Format,
            Handler = new RecordingHandler(),
            Options = connectionOptions,
            Pool = Pool,
            Metrics = Metrics,
            Time = time,
            Logger = Logger,
        };
        Sessions = new SessionRegistry(Metrics);
        RoomServices = new RoomServices
        {
            Format = Format,
            Packets = new PacketSet(),
            Options = roomOptions,
            MaxTurnBytes = connectionOptions.MaxOutboundBytes / 8,
            Pool = Pool,
            Metrics = Metrics,
            Time = time,
            Logger = Logger,
        };
        Rooms = new RoomRegistry(RoomServices);
        Room = Rooms.Create("test", static context => new TestRoom(context));
    }

    internal FrameFormat Format { get; } = FrameFormat.LengthPrefixed(prefixBytes: 2);

    internal ManualTimeProvider Time { get; } = new();

    internal CountingSegmentPool Pool { get; } = new();

    internal ServerMetrics Metrics { get; }

    internal RecordingLogger Logger { get; } = new();

    internal SessionRegistry Sessions { get; }

    internal RoomServices RoomServices { get; }

    internal RoomRegistry Rooms { get; }

    internal TestRoom Room { get; }

    internal Session NewSession()
    {
        var link = new StubLink { Sent = new MemoryStream() };
        var connection = new Connection(link, _connections);
        Session session = Sessions.Open(connection);
        connection.Start();
        _sessions.Add(session);
        _links[session] = link;
        return session;
    }

    internal StubLink LinkOf(Session session) => _links[session];

    /// <summary>Sessions that are members when this returns.</summary>
    internal async Task<Session[]> EnterAsync(int count)
    {
        Session[] sessions = [.. Enumerable.Range(0, count).Select(_ => NewSession())];
        await InTurnAsync(room =>
        {
            foreach (Session session in sessions)
            {
                Assert.Equal(EnterResult.Entered, room.Enter(session));
            }
        });
        return sessions;
    }

    /// <summary>Runs a job, and waits until the turn has flushed it. What it throws is thrown here.</summary>
    internal async Task InTurnAsync(Action<TestRoom> job)
    {
        Task ran = Room.RunAsync(job);
        await FlushedAsync(); // asked for at once: at best it is the same turn
        await ran;
    }

    internal Task FlushedAsync() => Room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

    /// <summary>The bodies that a session was sent, as texts of one character a byte.</summary>
    internal string[] Received(Session session)
    {
        byte[] bytes = LinkOf(session).Sent!.ToArray();
        List<string> bodies = [];
        for (int at = 0; at < bytes.Length;)
        {
            int length = (bytes[at] << 8) + bytes[at + 1];
            bodies.Add(System.Text.Encoding.Latin1.GetString(bytes, at + 2, length));
            at += 2 + length;
        }

        return [.. bodies];
    }

    public async ValueTask DisposeAsync()
    {
        foreach (Session session in _sessions)
        {
            session.Connection.Abort();
            await session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
            Sessions.Close(session);
        }

        Metrics.Dispose();
        await Eventually.TrueAsync(() => Pool.InUse == 0);
    }
}
