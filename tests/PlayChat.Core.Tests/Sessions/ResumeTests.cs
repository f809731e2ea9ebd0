using System.Collections.Concurrent;
using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

public sealed class ResumeTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task A_session_resumes_on_another_connection_with_its_user_its_id_and_its_room()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        Session session = client.Session;
        Connection former = session.Connection;

        await harness.BreakAsync(client);
        Assert.True(session.IsAway);
        Assert.Equal((1, 1), (harness.Sessions.AwayCount, harness.Sessions.Count));
        Assert.Same(session, harness.Sessions.Find(session.Id));
        Assert.Same(session, harness.Sessions.FindUser("ann"));
        Assert.Equal(["away"], harness.Room.Hooks);
        (HarnessClient returned, Resumption? resumption) = await harness.ResumeAsync(token);

        Assert.Equal(ResumeTable.TokenBytes, token.Length);
        Assert.Same(session, resumption!.Session);
        Assert.False(session.IsAway);
        Assert.Equal(former.Id, session.Id);
        Assert.NotSame(former, session.Connection);
        Assert.Same(session, Session.Of(session.Connection));
        Assert.Equal((0, 1), (harness.Sessions.AwayCount, harness.Sessions.Count));
        Assert.Same(session, harness.Sessions.Find(session.Id));
        Assert.Null(harness.Sessions.Find(session.Connection.Id)); // the id of its connection is not its own
        Assert.Same(session, harness.Sessions.FindUser("ann"));
        Assert.Equal([harness.Room], session.FindRooms<AwayRoom>());
        Assert.Equal(["away", "return"], harness.Room.Hooks);
        Assert.Equal(1, harness.Read(Counter.SessionsResumed));
        await harness.InTurnAsync(static room => room.Broadcast("all"));
        Assert.Equal(["room: back", "all"], returned.Texts());
        Assert.Empty(harness.Ends);
    }

    [Fact]
    public async Task Frames_from_the_new_connection_are_those_of_the_session()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        (HarnessClient returned, _) = await harness.ResumeAsync(token);

        await harness.Inner.SayAsync(returned, 7, "hello"); // posted to the room, which broadcasts it

        Assert.Equal(["room: back", "hello"], returned.Texts());
    }

    [Fact]
    public async Task What_the_application_sends_in_the_welcome_comes_before_everything_that_the_rooms_send()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        string? population = null;

        (HarnessClient returned, _) = await harness.ResumeAsync(token, async resumption =>
        {
            Session session = resumption.Session;
            Assert.False(session.IsAway);
            // The room is asked before it has returned the member, and what it sends meanwhile is not for the new connection.
            population = await harness.Room.RequestAsync(room =>
            {
                room.Broadcast("missed");
                Assert.False(room.Send(session, "missed as well"));
                room.BroadcastTo([session], "missed too");
                return $"{room.Members.Count} {room.Members[0].IsAway}";
            });
            Assert.True(session.Connection.Send(Encoding.Latin1.GetBytes("welcome")));
        });

        Assert.Equal("1 True", population);
        Assert.Equal(["welcome", "room: back"], returned.Texts());
    }

    [Fact]
    public async Task The_welcome_comes_before_what_a_room_sends_to_one_that_has_left_it_and_before_what_is_sent_to_all()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);

        (HarnessClient returned, Resumption? resumption) = await harness.ResumeAsync(token, async resumption =>
        {
            Session session = resumption.Session;
            await harness.InTurnAsync(room =>
            {
                room.Leave(session);
                Assert.False(room.Send(session, "missed"));
                room.BroadcastTo([session], "missed too");
            });
            Assert.Equal(0, harness.Sessions.Broadcast("missed by all"u8));
            Assert.True(session.Connection.Send("welcome"u8));
        });
        Assert.Equal(1, harness.Sessions.Broadcast("to all"u8));
        await harness.InTurnAsync(room => Assert.True(room.Send(resumption!.Session, "from the room")));

        Assert.Equal(["welcome", "to all", "from the room"], returned.Texts());
    }

    [Fact]
    public async Task A_session_that_stays_away_ends_when_the_window_has_passed()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync();
        (HarnessClient bob, byte[] bobs) = await harness.JoinAsync("bob");
        await harness.BreakAsync(ann);
        await harness.Inner.AdvanceAsync(s_second);
        await harness.BreakAsync(bob);

        await harness.Inner.AdvanceAsync(ResumeHarness.Window - (2 * s_second));
        Assert.Empty(harness.Ends);
        await harness.Inner.AdvanceAsync(s_second);
        await harness.Inner.IdleAsync();

        Assert.Equal([(ann.Session, CloseReason.PeerReset)], harness.Ends);
        Assert.Equal(["away", "away", "leave SessionEnded"], harness.Room.Hooks);
        Assert.Null(harness.Sessions.FindUser("ann"));
        Assert.Null(harness.Sessions.Find(ann.Session.Id));
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.NotNull((await harness.ResumeAsync(bobs)).Resumption);
        await harness.Inner.AdvanceAsync(ResumeHarness.Window); // bob is here
        Assert.Single(harness.Ends);
    }

    [Theory]
    [InlineData(CloseReason.SlowConsumer, true)]
    [InlineData(CloseReason.IdleTimeout, true)]
    [InlineData(CloseReason.HandlerFault, true)]
    [InlineData(CloseReason.TransportFault, true)]
    [InlineData(CloseReason.TlsFailed, true)]
    [InlineData(CloseReason.PeerReset, true)]
    [InlineData(CloseReason.ProtocolViolation, false)]
    [InlineData(CloseReason.FrameTooLarge, false)]
    [InlineData(CloseReason.LocalClose, false)]
    [InlineData(CloseReason.LoginTimeout, false)]
    [InlineData(CloseReason.TakenOver, false)]
    [InlineData(CloseReason.UnknownPacket, false)]
    [InlineData(CloseReason.LoginRequired, false)]
    [InlineData(CloseReason.RateLimited, false)]
    [InlineData(CloseReason.ServerShutdown, false)]
    public async Task Only_a_broken_connection_makes_a_session_away(CloseReason reason, bool isBreak)
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();

        client.Session.Connection.Abort(reason);
        await client.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.Equal(isBreak, client.Session.IsAway);
        Assert.Equal(isBreak ? ["away"] : ["leave SessionEnded"], harness.Room.Hooks);
        Assert.Equal(isBreak ? [] : [(client.Session, reason)], harness.Ends);
        Assert.Equal(isBreak, (await harness.ResumeAsync(token)).Resumption is not null);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_client_that_closes_its_connection_leaves_only_if_the_application_says_so(bool closeIsLeave)
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, _) = await harness.JoinAsync(closeIsLeave: closeIsLeave);

        client.Connection.Close();
        await client.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.Equal(CloseReason.PeerClosed, client.Session.Connection.CloseReason);
        Assert.Equal(!closeIsLeave, client.Session.IsAway);
        Assert.Equal(closeIsLeave ? ["leave SessionEnded"] : ["away"], harness.Room.Hooks);
    }

    [Fact]
    public async Task A_session_without_a_token_ends_with_its_connection()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        HarnessClient client = await harness.Inner.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        await harness.BreakAsync(client);

        Assert.Equal(["leave SessionEnded"], harness.Room.Hooks);
        Assert.Equal([(client.Session, CloseReason.PeerReset)], harness.Ends);
        Assert.Equal(0, harness.Sessions.Count);
    }

    [Fact]
    public async Task Without_a_window_no_session_resumes()
    {
        await using ResumeHarness harness =
            await ResumeHarness.StartAsync(static server => server.Options.Sessions.ResumeWindow = TimeSpan.Zero);
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        Session session = client.Session;

        Assert.Empty(token);
        Assert.Null(session.Resume); // no object of its own
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        await harness.Sessions.ConfirmResumeAsync(session.Connection);
        await harness.BreakAsync(client);

        Assert.Equal(["leave SessionEnded"], harness.Room.Hooks);
        Assert.Equal([(session, CloseReason.PeerReset)], harness.Ends);
    }

    [Fact]
    public async Task A_token_works_once_more_until_the_next_one_is_confirmed()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] first) = await harness.JoinAsync();
        await harness.BreakAsync(client);

        (HarnessClient second, Resumption? one) = await harness.ResumeAsync(first);
        await harness.BreakAsync(second); // its answer, with the next token, is lost
        (HarnessClient third, Resumption? two) = await harness.ResumeAsync(first);
        await harness.BreakAsync(third);

        Assert.NotNull(one);
        Assert.NotNull(two);
        Assert.Null((await harness.ResumeAsync(one.Token)).Resumption); // the client never had it: the retry replaced it
        (_, Resumption? three) = await harness.ResumeAsync(two.Token);
        Assert.Null((await harness.ResumeAsync(first)).Resumption); // the client had the token after it
        await harness.Sessions.ConfirmResumeAsync(third.Session.Connection); // the session has left that connection
        Assert.Equal(ResumeTable.HashOf(two.Token.Span), three!.Session.Resume!.UsedHash);
        await harness.Sessions.ConfirmResumeAsync(three.Session.Connection);
        Assert.Null((await harness.ResumeAsync(two.Token)).Resumption);
        Assert.NotNull((await harness.ResumeAsync(three.Token)).Resumption);
    }

    [Fact]
    public async Task A_used_token_is_valid_for_the_window_from_its_first_use()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync(
            static server => server.Options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan);
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);

        await harness.ResumeAsync(token);
        await harness.Inner.AdvanceAsync(ResumeHarness.Window - s_second);
        (_, Resumption? inTime) = await harness.ResumeAsync(token);
        await harness.Inner.AdvanceAsync(2 * s_second); // the retry made it no younger
        (_, Resumption? late) = await harness.ResumeAsync(token);

        Assert.NotNull(inTime);
        Assert.Null(late);
        Assert.NotNull((await harness.ResumeAsync(inTime.Token)).Resumption);
    }

    [Fact]
    public async Task A_resume_while_the_old_connection_still_looks_open_takes_the_session_over()
    {
        ConcurrentQueue<(Connection, CloseReason)> told = [];
        await using ResumeHarness harness = await ResumeHarness.StartAsync(
            server => server.OnClosing((connection, reason) => told.Enqueue((connection, reason))));
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        Session session = client.Session;
        Connection former = session.Connection;

        (HarnessClient returned, _) = await harness.ResumeAsync(token);
        client.Connection.Abort();
        await former.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.Equal(CloseReason.TakenOver, former.CloseReason);
        Assert.Equal([(former, CloseReason.TakenOver)], told);
        Assert.Empty(harness.Ends); // its late end does not matter to the session
        Assert.Equal(["away", "return"], harness.Room.Hooks);
        Assert.Same(session, harness.Sessions.Find(session.Id));
        await harness.InTurnAsync(static room => room.Broadcast("all"));
        Assert.Equal(["room: back", "all"], returned.Texts());
        Assert.Empty(client.Texts());
    }

    [Fact]
    public async Task A_session_whose_connection_the_application_is_closing_does_not_resume()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        client.Session.Connection.Close(); // kicked; the peer has not answered yet, or has just now

        (_, Resumption? resumption) = await harness.ResumeAsync(token);

        Assert.Null(resumption);
        Assert.Equal([(client.Session, CloseReason.LocalClose)], harness.Ends);
    }

    [Fact]
    public async Task A_logout_ends_the_session_here_or_away_and_its_tokens()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient here, byte[] first) = await harness.JoinAsync("ann");
        (HarnessClient away, byte[] second) = await harness.JoinAsync("bob");
        await harness.BreakAsync(away);

        await harness.Sessions.EndAsync(here.Session);
        await harness.Sessions.EndAsync(here.Session);
        await harness.Sessions.EndAsync(away.Session);
        await harness.Inner.IdleAsync();

        Assert.Equal([(here.Session, CloseReason.LocalClose), (away.Session, CloseReason.LocalClose)], harness.Ends);
        Assert.Equal(["away", "leave SessionEnded", "leave SessionEnded"], harness.Room.Hooks);
        Assert.True(here.Session.Connection.IsOpen); // so that the application can answer
        Assert.Null((await harness.ResumeAsync(first)).Resumption);
        Assert.Null((await harness.ResumeAsync(second)).Resumption);
        Assert.Equal(0, harness.Sessions.AwayCount);
        await harness.BreakAsync(here);
        Assert.Equal(2, harness.Ends.Count);
    }

    [Fact]
    public async Task A_login_elsewhere_ends_the_older_session_if_it_is_away()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        HarnessClient newer = await harness.Inner.ConnectAsync();

        Session? before = harness.Sessions.Bind(newer.Session, client.Session.User!);
        await harness.Inner.IdleAsync();

        Assert.Same(client.Session, before);
        Assert.Equal([(client.Session, CloseReason.TakenOver)], harness.Ends);
        Assert.Equal(["away", "leave SessionEnded"], harness.Room.Hooks);
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.Same(newer.Session, harness.Sessions.FindUser("ann"));
    }

    [Fact]
    public async Task A_login_elsewhere_takes_the_tokens_of_the_older_session_that_is_here()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        HarnessClient newer = await harness.Inner.ConnectAsync();

        harness.Sessions.Bind(newer.Session, client.Session.User!);
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        await harness.BreakAsync(client);

        Assert.Equal([(client.Session, CloseReason.PeerReset)], harness.Ends);
    }

    [Fact]
    public async Task Sessions_that_are_away_are_bounded_like_connections()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync(static server => server.Options.Connections.MaxConnections = 1);
        (HarnessClient first, _) = await harness.JoinAsync("ann");
        await harness.BreakAsync(first);
        (HarnessClient second, _) = await harness.JoinAsync("bob");
        await harness.BreakAsync(second);

        Assert.True(first.Session.IsAway);
        Assert.Equal([(second.Session, CloseReason.PeerReset)], harness.Ends);
    }

    [Fact]
    public async Task A_server_that_stops_ends_the_sessions_that_are_away_before_the_rooms_are_drained()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, _) = await harness.JoinAsync("ann");
        (HarnessClient other, _) = await harness.JoinAsync("bob");
        await harness.BreakAsync(client);

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal([(client.Session, CloseReason.ServerShutdown), (other.Session, CloseReason.ServerShutdown)], harness.Ends);
        Assert.Equal(["away", "leave SessionEnded", "leave SessionEnded"], harness.Room.Hooks);
        Assert.Equal(0, harness.Sessions.AwayCount);
    }

    [Fact]
    public async Task The_end_of_a_session_is_told_after_its_disconnect_and_never_for_a_session_that_gave_way()
    {
        ConcurrentQueue<string> events = [];
        await using ResumeHarness harness = await ResumeHarness.StartAsync(server => server
            .OnConnected(_ => events.Enqueue("connected"))
            .OnDisconnected((session, reason) => events.Enqueue($"disconnected {session.User?.Name} {reason}"))
            .OnSessionEnded((session, reason) => events.Enqueue($"ended {session.User?.Name} {reason}")));
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        (HarnessClient returned, Resumption? resumption) = await harness.ResumeAsync(token);
        returned.Session.Connection.Close(CloseReason.RateLimited); // the connection's first session, which gave way
        await returned.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.NotNull(resumption);
        Assert.Equal(
            ["connected", "disconnected ann PeerReset", "connected", "disconnected ann RateLimited", "ended ann RateLimited"],
            events.ToArray());
    }

    [Fact]
    public async Task A_handler_that_throws_at_the_end_of_a_session_is_logged_and_counted()
    {
        var logger = new RecordingLogger();
        await using ResumeHarness harness = await ResumeHarness.StartAsync(server => server
            .UseLogging(logger)
            .OnSessionEnded(static (_, _) => throw new InvalidOperationException("A fault of the application.")));
        (HarnessClient client, _) = await harness.JoinAsync();

        await harness.BreakAsync(client);
        await harness.Inner.AdvanceAsync(ResumeHarness.Window);

        Assert.Equal(1, harness.Read(Counter.HandlerFaults));
        Assert.Equal(0, harness.Sessions.Count);
    }

    [Fact]
    public async Task A_welcome_that_throws_closes_the_connection_and_leaves_the_session_away()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        HarnessClient returned = await harness.Inner.ConnectAsync();
        Connection connection = returned.Session.Connection;

        await Assert.ThrowsAsync<InvalidOperationException>(async () => await harness.Sessions.ResumeAsync(
            connection, token, static _ => throw new InvalidOperationException("A fault of the application.")));
        await connection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.Equal(CloseReason.HandlerFault, connection.CloseReason);
        Assert.True(client.Session.IsAway);
        Assert.Equal(["away"], harness.Room.Hooks);
        Assert.NotNull((await harness.ResumeAsync(token)).Resumption); // the client has no other token
        Assert.Equal(["away", "return"], harness.Room.Hooks);
    }

    [Fact]
    public async Task A_connection_that_breaks_during_the_welcome_leaves_the_session_away()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        HarnessClient returned = await harness.Inner.ConnectAsync();
        Connection connection = returned.Session.Connection;

        await harness.Sessions.ResumeAsync(connection, token, async _ =>
        {
            returned.Break();
            await connection.Closed.WaitAsync(TestTimeouts.Hang);
        });
        await harness.Inner.IdleAsync();

        Assert.True(client.Session.IsAway);
        Assert.Equal(["away"], harness.Room.Hooks);
        Assert.Equal(1, harness.Sessions.AwayCount);
    }

    [Fact]
    public async Task A_welcome_may_end_the_session_so_that_no_room_returns_the_member()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);

        (HarnessClient returned, _) = await harness.ResumeAsync(token, resumption =>
        {
            resumption.Session.Connection.Send(Encoding.Latin1.GetBytes("barred"));
            return harness.Sessions.EndAsync(resumption.Session);
        });

        Assert.Equal(["away", "leave SessionEnded"], harness.Room.Hooks);
        Assert.Equal(["barred"], returned.Texts());
    }

    [Fact]
    public async Task A_connection_that_is_logged_in_resumes_nothing()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        HarnessClient other = await harness.Inner.ConnectAsync();
        harness.Sessions.Bind(other.Session, new SessionUser(2, "bob"));

        await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await harness.Sessions.ResumeAsync(other.Session.Connection, token));

        Assert.True(client.Session.IsAway);
        Assert.NotNull((await harness.ResumeAsync(token)).Resumption);
    }

    [Fact]
    public async Task A_connection_that_has_ended_resumes_nothing_and_the_token_stays_valid()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        HarnessClient gone = await harness.Inner.ConnectAsync();
        await harness.BreakAsync(gone);

        Assert.Null(await harness.Sessions.ResumeAsync(gone.Session.Connection, token));

        Assert.True(client.Session.IsAway);
        Assert.NotNull((await harness.ResumeAsync(token)).Resumption);
    }

    [Fact]
    public async Task Rooms_in_which_the_new_connection_was_before_the_resume_learn_that_its_session_has_ended()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        AwayRoom lobby = harness.Server.Rooms.Create("lobby", static context => new AwayRoom(context));
        HarnessClient returned = await harness.Inner.ConnectAsync();
        await lobby.JoinAsync(returned.Session);

        await harness.Sessions.ResumeAsync(returned.Session.Connection, token);
        await harness.Inner.IdleAsync();

        Assert.Equal(["leave SessionEnded"], lobby.Hooks);
        Assert.Equal(0, lobby.MemberCount);
    }

    [Fact]
    public async Task A_guess_is_refused()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        token[^1] ^= 1;

        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.Null((await harness.ResumeAsync(default)).Resumption);
    }
}
