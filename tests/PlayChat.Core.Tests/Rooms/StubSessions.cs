using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>
/// Sessions on stub links, without a server and without rooms: what the parts of a room need around them. Disposing checks for leaks.
/// </summary>
internal sealed class StubSessions : IAsyncDisposable
{
    private readonly List<Session> _sessions = [];
    private readonly Dictionary<Session, StubLink> _links = [];
    private readonly ConnectionServices _connections;

    internal StubSessions(Action<ConnectionOptions>? connections = null, TimeProvider? time = null)
    {
        time ??= Time;
        connections?.Invoke(Options);
        Metrics = new ServerMetrics(time: time);
        _connections = new ConnectionServices
        {
            Format = Format,
            Handler = new RecordingHandler(),
            Options = Options,
            Pool = Pool,
            Metrics = Metrics,
            Time = time,
            Logger = Logger,
        };
        Registry = new SessionRegistry(Metrics);
    }

    internal FrameFormat Format { get; } = FrameFormat.LengthPrefixed(prefixBytes: 2);

    internal ManualTimeProvider Time { get; } = new();

    internal CountingSegmentPool Pool { get; } = new();

    internal RecordingLogger Logger { get; } = new();

    internal ConnectionOptions Options { get; } = new();

    internal ServerMetrics Metrics { get; }

    internal SessionRegistry Registry { get; }

    /// <summary>The services of rooms that have these sessions as members.</summary>
    internal RoomServices NewRoomServices(Action<RoomOptions>? rooms = null)
    {
        var options = new RoomOptions();
        rooms?.Invoke(options);
        return new RoomServices
        {
            Format = Format,
            Packets = new PacketSet(),
            Options = options,
            MaxTurnBytes = Options.MaxOutboundBytes / 8,
            Pool = Pool,
            Metrics = Metrics,
            Time = _connections.Time,
            Logger = Logger,
        };
    }

    internal Session Open()
    {
        var link = new StubLink { Sent = new MemoryStream() };
        var connection = new Connection(link, _connections);
        Session session = Registry.Open(connection);
        connection.Start();
        _sessions.Add(session);
        _links[session] = link;
        return session;
    }

    /// <summary>Opens sessions and makes them members.</summary>
    internal Session[] OpenMembers(RoomMembership members, int count)
    {
        Session[] sessions = Open(count);
        foreach (Session session in sessions)
        {
            Assert.Equal(JoinStatus.Joined, members.TryAttach(session));
            members.Add(session);
        }

        return sessions;
    }

    internal Session[] Open(int count) => [.. Enumerable.Range(0, count).Select(_ => Open())];

    internal StubLink LinkOf(Session session) => _links[session];

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
            Registry.Close(session);
        }

        Metrics.Dispose();
        await Eventually.TrueAsync(() => Pool.InUse == 0);
    }
}
