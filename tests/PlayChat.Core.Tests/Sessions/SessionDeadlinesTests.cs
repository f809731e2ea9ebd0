using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Connections;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>Deadlines while a handler waits. Whatever is fed is handled, up to where a handler waits, on the test's own thread.</summary>
public sealed class SessionDeadlinesTests
{
    private static readonly TimeSpan s_idle = TimeSpan.FromMinutes(2);

    private readonly TaskCompletionSource _work = new();
    private int _heartbeats;

    [Fact]
    public async Task A_peer_is_not_idle_while_a_handler_waits_and_what_it_has_sent_lies_unread()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using ConnectionSet set = Watch(harness);
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(_work.Task);
        harness.Stub.Feed(harness.Frame(1));
        harness.Stub.Feed(harness.Frame(2)); // its sign of life

        harness.Time.Advance(s_idle * 3);
        Assert.True(harness.Connection.IsOpen);
        _work.SetResult();
        await Eventually.TrueAsync(() => harness.Handler.Frames == 2 && harness.Stub.IsReceiving);
        harness.Time.Advance(s_idle - TimeSpan.FromSeconds(1));
        Assert.True(harness.Connection.IsOpen);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(CloseReason.IdleTimeout, harness.Connection.CloseReason);
    }

    [Fact]
    public async Task A_login_may_last_longer_than_a_clock_of_nanoseconds_counts()
    {
        await using var sessions = new StubSessions(time: new NanosecondClock());
        Session session = sessions.Open();

        session.ExpireLogin(DateTimeOffset.MaxValue);
        bool hasExpired = session.HasLoginExpired;
        session.ExpireLogin(DateTimeOffset.MinValue);

        Assert.False(hasExpired);
        Assert.True(session.HasLoginExpired);
    }

    [Fact]
    public async Task It_is_asked_for_heartbeats_all_the_same()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using ConnectionSet set = Watch(harness);
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(_work.Task);
        harness.Stub.Feed(harness.Frame(1));

        harness.Time.Advance(s_idle * 2);

        Assert.Equal(8, _heartbeats);
        _work.SetResult();
    }

    [Fact]
    public async Task The_time_to_log_in_runs_on_while_a_handler_waits()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using ConnectionSet set = Watch(harness, static o => o.LoginTimeout = TimeSpan.FromSeconds(10));
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(_work.Task);
        harness.Stub.Feed(harness.Frame(1));

        harness.Time.Advance(TimeSpan.FromSeconds(10));

        Assert.Equal(CloseReason.LoginTimeout, harness.Connection.CloseReason);
        _work.SetResult();
    }

    [Fact]
    public async Task A_peer_that_does_not_read_is_idle_though_a_handler_waits()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: static o => (o.MaxOutboundBytes, o.SendTimeout) = (4096, Timeout.InfiniteTimeSpan)).Start();
        using ConnectionSet set = Watch(harness);
        harness.Stub.HoldSends = true;
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            connection.Send(new byte[3000]);
            return new ValueTask(_work.Task);
        };
        harness.Stub.Feed(harness.Frame(1));

        harness.Time.Advance(s_idle);

        Assert.Equal(CloseReason.IdleTimeout, harness.Connection.CloseReason);
        _work.SetResult();
    }

    [Fact]
    public async Task A_peer_is_idle_when_a_handler_waits_for_it_to_read()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: static o =>
                (o.MaxOutboundBytes, o.SlowConsumer, o.SendTimeout) = (4096, SlowConsumerPolicy.Wait, Timeout.InfiniteTimeSpan)).Start();
        using ConnectionSet set = Watch(harness);
        harness.Stub.HoldSends = true;
        harness.Handler.OnFrame = static (Connection connection, in Frame _) => AnswerAsync(connection);
        harness.Stub.Feed(harness.Frame(1));

        harness.Time.Advance(s_idle);

        Assert.Equal(CloseReason.IdleTimeout, harness.Connection.CloseReason);

        static async ValueTask AnswerAsync(Connection connection)
        {
            connection.Send(new byte[100]);
            await connection.SendAsync(new byte[4000]); // for this there is no room
        }
    }

    /// <summary>Makes a session of the connection, and has its deadlines looked at each second.</summary>
    private ConnectionSet Watch(ConnectionHarness harness, Action<SessionOptions>? configure = null)
    {
        var options = new SessionOptions { IdleTimeout = s_idle };
        configure?.Invoke(options);
        new SessionRegistry(harness.Metrics).Open(harness.Connection);
        var deadlines = new SessionDeadlines(
            options, harness.Time.TimestampFrequency, static (connection, reason) => connection.Close(reason), _ => _heartbeats++);
        var set = new ConnectionSet(harness.Options, harness.Time, options.SweepInterval, deadlines.Inspect);
        set.TryAdd(harness.Connection);
        return set;
    }

    private sealed class NanosecondClock : TimeProvider
    {
        public override long TimestampFrequency => 1_000_000_000;

        public override long GetTimestamp() => TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch;
    }
}
