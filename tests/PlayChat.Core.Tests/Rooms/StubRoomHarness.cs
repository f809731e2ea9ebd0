using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>
/// Rooms without a server, with sessions on stub links. It is for tests that look inside: sends that are held, lanes, buffers, and turns
/// on the test's own thread. All other tests use <see cref="RoomHarness{TRoom}"/>. Disposing checks for leaks.
/// </summary>
internal sealed class StubRoomHarness : IAsyncDisposable
{
    private readonly StubSessions _sessions;

    internal StubRoomHarness(Action<RoomOptions>? rooms = null, Action<ConnectionOptions>? connections = null, TimeProvider? time = null)
    {
        _sessions = new StubSessions(connections, time);
        RoomServices = _sessions.NewRoomServices(rooms);
        Rooms = new RoomRegistry(RoomServices);
        Room = Rooms.Create("test", static context => new TestRoom(context));
    }

    internal ManualTimeProvider Time => _sessions.Time;

    internal CountingSegmentPool Pool => _sessions.Pool;

    internal ServerMetrics Metrics => _sessions.Metrics;

    internal RecordingLogger Logger => _sessions.Logger;

    internal SessionRegistry Sessions => _sessions.Registry;

    internal RoomServices RoomServices { get; }

    internal RoomRegistry Rooms { get; }

    internal TestRoom Room { get; }

    internal Session NewSession() => _sessions.Open();

    internal StubLink LinkOf(Session session) => _sessions.LinkOf(session);

    /// <summary>Sessions that are members when this returns.</summary>
    internal async Task<Session[]> EnterAsync(int count)
    {
        Session[] sessions = [.. Enumerable.Range(0, count).Select(_ => NewSession())];
        await InTurnAsync(room =>
        {
            foreach (Session session in sessions)
            {
                Assert.Equal(JoinStatus.Joined, room.Join(session));
            }
        });
        return sessions;
    }

    /// <summary>Runs a job, and waits until the turn has flushed it. What it throws is thrown here.</summary>
    internal async Task InTurnAsync(Action<TestRoom> job)
    {
        // Asked for inside the turn, so that it is this turn's flush. Behind the turn it would be the next one's, which a busy room puts
        // off until its interval ends, by a clock that only the test moves.
        Task flushed = Task.CompletedTask;
        await Room.RunAsync(room =>
        {
            flushed = FlushedAsync();
            job(room);
        }).WaitAsync(TestTimeouts.Hang);
        await flushed;
    }

    internal Task FlushedAsync() => Room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

    /// <summary>The bodies that a session was sent, as texts of one character a byte.</summary>
    internal string[] Received(Session session) => _sessions.Received(session);

    public ValueTask DisposeAsync() => _sessions.DisposeAsync();
}
