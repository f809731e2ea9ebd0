using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class DeadlineTests
{
    [Fact]
    public async Task A_session_that_does_not_log_in_is_told_and_closed_as_LoginTimeout()
    {
        await using ServerHarness harness = await new ServerHarness(o => o.Sessions.LoginTimeout = TimeSpan.FromSeconds(10))
            .StartAsync(static server => Telling(server).OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();
        Session session = Single(harness);

        harness.Time.Advance(TimeSpan.FromSeconds(9));
        Assert.True(session.Connection.IsOpen);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(ServerHarness.Frame(CloseReason.LoginTimeout), await client.ReceiveToEndAsync());
        client.Shutdown();
        Assert.Equal(CloseReason.LoginTimeout, await session.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_session_that_has_logged_in_is_not_closed_by_the_login_deadline()
    {
        await using ServerHarness harness = await new ServerHarness(o => o.Sessions.LoginTimeout = TimeSpan.FromSeconds(10)).StartAsync();
        await harness.ConnectAsync();
        Session session = Single(harness);
        harness.Server.Sessions.Bind(session, new SessionUser(1, "ann"));

        harness.Time.Advance(TimeSpan.FromSeconds(60));

        Assert.True(session.Connection.IsOpen);
    }

    [Fact]
    public async Task While_a_login_is_checked_no_deadline_runs_and_afterwards_each_begins_anew()
    {
        await using ServerHarness harness = await new ServerHarness(o => o.Sessions.LoginTimeout = TimeSpan.FromSeconds(10)).StartAsync();
        await harness.ConnectAsync();
        Session session = Single(harness);

        session.IsLoggingIn = true;
        harness.Time.Advance(harness.Server.Options.Sessions.IdleTimeout * 2);
        session.IsLoggingIn = false;
        harness.Time.Advance(TimeSpan.FromSeconds(9));
        Assert.True(session.Connection.IsOpen);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.False(session.Connection.IsOpen);
    }

    [Fact]
    public async Task A_peer_that_does_not_end_its_frame_is_told_and_closed_as_FrameTimeout()
    {
        await using ServerHarness harness = await new ServerHarness(o => o.Connections.FrameTimeout = TimeSpan.FromSeconds(10))
            .StartAsync(static server => Telling(server).OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();
        Session session = Single(harness);
        await client.SendAsync(ServerHarness.Frame(1).AsMemory(0, 1));
        await Eventually.TrueAsync(() => harness.Server.Metrics.Snapshot().BytesReceived == 1);

        harness.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(session.Connection.IsOpen);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(ServerHarness.Frame(CloseReason.FrameTimeout), await client.ReceiveToEndAsync());
        client.Shutdown();
        Assert.Equal(CloseReason.FrameTimeout, await session.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_silent_peer_is_closed_as_IdleTimeout_and_one_that_speaks_is_not()
    {
        await using ServerHarness harness =
            await new ServerHarness().StartAsync(static server => Telling(server).OnFrame(static (_, _) => { }));
        TransportConnection silent = await harness.ConnectAsync();
        Session silentSession = Single(harness);
        TransportConnection speaking = await harness.ConnectAsync();
        TimeSpan idle = harness.Server.Options.Sessions.IdleTimeout;

        harness.Time.Advance(idle - TimeSpan.FromSeconds(1));
        long received = harness.Server.Metrics.Snapshot().BytesReceived;
        await speaking.SendAsync(ServerHarness.Frame(1));
        await Eventually.TrueAsync(() => harness.Server.Metrics.Snapshot().BytesReceived > received);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(ServerHarness.Frame(CloseReason.IdleTimeout), await silent.ReceiveToEndAsync());
        silent.Shutdown();
        Assert.Equal(CloseReason.IdleTimeout, await silentSession.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Server.Sessions.Count);
    }

    [Fact]
    public async Task A_silent_peer_is_asked_for_a_heartbeat_once_an_interval()
    {
        int asked = 0;
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnHeartbeat(session =>
            {
                asked++;
                session.Connection.Send([9]);
            })
            .OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal(0, asked);
        harness.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, asked);
        harness.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal(1, asked);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(2, asked);
        Assert.Equal((byte[])[.. ServerHarness.Frame(9), .. ServerHarness.Frame(9)], await client.ReceiveAsync(10));
    }

    [Fact]
    public async Task Handlers_of_heartbeats_and_closes_add_up()
    {
        List<string> called = [];
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnHeartbeat(_ => called.Add("heartbeat 1"))
            .OnHeartbeat(_ => called.Add("heartbeat 2"))
            .OnClosing((_, reason) => called.Add($"closing 1 {reason}"))
            .OnClosing((_, reason) => called.Add($"closing 2 {reason}"))
            .OnFrame(static (_, _) => { }));
        await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromSeconds(30));
        harness.Time.Advance(TimeSpan.FromSeconds(90));

        Assert.Equal(["heartbeat 1", "heartbeat 2"], called[..2]);
        Assert.Equal(["closing 1 IdleTimeout", "closing 2 IdleTimeout"], called[^2..]);
    }

    [Fact]
    public async Task A_heartbeat_handler_that_throws_does_not_end_the_sweep()
    {
        await using ServerHarness harness = await new ServerHarness().StartAsync(static server => server
            .OnHeartbeat(static _ => throw new InvalidOperationException("A handler's fault."))
            .OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Empty(await client.ReceiveToEndAsync()); // the idle timeout came all the same
        Assert.Equal(3, harness.Logger.Count("HeartbeatHandlerFault"));
    }

    [Fact]
    public async Task A_peer_that_does_not_answer_a_close_is_aborted_after_CloseTimeout()
    {
        await using ServerHarness harness = await new ServerHarness().StartAsync();
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = Single(harness).Connection;

        connection.Close(CloseReason.TakenOver);
        harness.Time.Advance(TimeSpan.FromSeconds(4));
        Assert.False(connection.Closed.IsCompleted);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(CloseReason.TakenOver, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, await client.ReceiveAsync(new byte[1].AsMemory()));
        Assert.Equal(CloseReason.PeerReset, client.EndReason);
    }

    [Theory]
    [InlineData(true, CloseReason.ServerFull)]
    [InlineData(false, CloseReason.AddressFull)]
    public async Task A_connection_over_a_limit_is_told_why_and_closed_and_the_next_is_taken_when_one_has_left(
        bool server, CloseReason reason)
    {
        await using ServerHarness harness = await new ServerHarness(o =>
        {
            if (server)
            {
                o.Connections.MaxConnections = 2;
            }
            else
            {
                o.Connections.MaxConnectionsPerAddress = 2;
                o.Connections.LimitsLoopback = true;
            }
        }).StartAsync(static server => Telling(server).OnFrame(static (_, _) => { }));
        TransportConnection first = await harness.ConnectAsync();
        Connection firstConnection = Single(harness).Connection;
        await harness.ConnectAsync();

        TransportConnection refused = await harness.ConnectOnlyAsync();
        Assert.Equal(ServerHarness.Frame(reason), await refused.ReceiveToEndAsync());
        refused.Shutdown();
        Assert.Equal(2, harness.Server.Sessions.Count);

        first.Shutdown();
        await firstConnection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.ConnectAsync();
        Assert.Equal(1, harness.Server.Metrics.Snapshot().ConnectionsRefused);
    }

    [Fact]
    public async Task A_refused_connection_is_not_counted_among_those_that_were_accepted_and_have_ended()
    {
        await using ServerHarness harness = await new ServerHarness(o => o.Connections.MaxConnections = 1).StartAsync();
        await harness.ConnectAsync();

        TransportConnection refused = await harness.ConnectOnlyAsync();
        Assert.Empty(await refused.ReceiveToEndAsync());
        refused.Shutdown();
        await Eventually.TrueAsync(() => harness.Logger.Count("Closed") == 1);

        Assert.Equal(1, harness.Server.Metrics.Snapshot().Connections);
    }

    private static Session Single(ServerHarness harness)
    {
        for (long id = 1; ; id++)
        {
            if (harness.Server.Sessions.Find(id) is { } session)
            {
                return session;
            }
        }
    }

    private static PlayChatServer Telling(PlayChatServer server) =>
        server.OnClosing(static (connection, reason) => connection.Send([(byte)reason]));
}
