using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>Resumes beside other things that happen to the session. The harness checks at its end that nothing is left.</summary>
public sealed class ResumeRaceTests
{
    private const int Rounds = 50;

    [Fact]
    public async Task Two_resumes_with_one_token_leave_one_connection_with_the_session()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] first) = await harness.JoinAsync();
        Session session = client.Session;
        ReadOnlyMemory<byte> token = first;
        for (int round = 0; round < Rounds; round++)
        {
            await harness.BreakAsync(client);
            HarnessClient one = await harness.Inner.ConnectAsync();
            HarnessClient two = await harness.Inner.ConnectAsync();

            Resumption?[] resumptions = await Task.WhenAll(
                Task.Run(() => harness.Sessions.ResumeAsync(one.Session.Connection, token).AsTask()),
                Task.Run(() => harness.Sessions.ResumeAsync(two.Session.Connection, token).AsTask()));
            await harness.Inner.IdleAsync();

            Assert.All(resumptions, Assert.NotNull);
            HarnessClient winner = one.Connection.IsOpen ? one : two;
            HarnessClient loser = winner == one ? two : one;
            Connection taken = await EndedAsync(loser);
            Assert.Equal(CloseReason.TakenOver, taken.CloseReason);
            Assert.False(session.IsAway);
            Assert.Equal(winner.Connection.LocalEndPoint, session.Connection.RemoteEndPoint);
            winner.Forget();
            await harness.InTurnAsync(static room => room.Broadcast("all"));
            Assert.Equal(["all"], winner.Texts());
            await harness.Sessions.ConfirmResumeAsync(session.Connection);
            Resumption? next = resumptions.Single(resumption => session.Resume!.TokenHash == ResumeTable.HashOf(resumption!.Token.Span));
            (client, token) = (winner, next!.Token);
        }

        static async Task<Connection> EndedAsync(HarnessClient client)
        {
            // A client that lost sees the end of its connection; the server's end of it is the one that its first session had.
            await client.Closed.WaitAsync(TestTimeouts.Hang);
            Connection server = client.Session.Connection;
            await server.Closed.WaitAsync(TestTimeouts.Hang);
            return server;
        }
    }

    [Fact]
    public async Task A_connection_that_breaks_while_a_session_moves_to_it_leaves_the_session_away()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] first) = await harness.JoinAsync();
        Session session = client.Session;
        ReadOnlyMemory<byte> token = first;
        await harness.BreakAsync(client);
        for (int round = 0; round < 4 * Rounds; round++)
        {
            HarnessClient next = await harness.Inner.ConnectAsync();

            Task<Resumption?> resuming = Task.Run(() => harness.Sessions.ResumeAsync(next.Session.Connection, token).AsTask());
            Task breaking = Task.Run(next.Break);
            await Task.WhenAll(resuming, breaking);
            await harness.Inner.IdleAsync();

            Assert.True(session.IsAway);
            if (await resuming is { } resumption)
            {
                await harness.Sessions.ConfirmResumeAsync(session.Connection);
                token = resumption.Token;
            }
        }

        Assert.NotNull((await harness.ResumeAsync(token)).Resumption);
        Assert.False(session.IsAway);
        Assert.Equal(1, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_resume_while_the_window_ends_either_comes_in_time_or_is_refused()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync(static server =>
        {
            server.Options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan;
        });
        for (int round = 0; round < Rounds; round++)
        {
            (HarnessClient client, byte[] token) = await harness.JoinAsync($"player {round}");
            await harness.BreakAsync(client);
            HarnessClient next = await harness.Inner.ConnectAsync();
            await harness.Inner.AdvanceAsync(ResumeHarness.Window - TimeSpan.FromTicks(1));

            Task<Resumption?> resuming = Task.Run(() => harness.Sessions.ResumeAsync(next.Session.Connection, token).AsTask());
            await Task.WhenAll(resuming, Task.Run(() => harness.Inner.Time.Advance(TimeSpan.FromTicks(1))));
            await harness.Inner.IdleAsync();

            bool isResumed = await resuming is not null;
            Assert.Equal(isResumed, harness.Ends.Count == 0);
            Assert.Equal(isResumed ? 1 : 0, harness.Room.MemberCount);
            Assert.Equal(0, harness.Sessions.AwayCount);
            await harness.Sessions.EndAsync(client.Session);
            await harness.Inner.IdleAsync();
            Assert.Single(harness.Ends);
            harness.Ends.Clear();
        }
    }

    [Fact]
    public async Task A_logout_or_a_login_elsewhere_while_the_session_resumes_ends_it_once()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        for (int round = 0; round < Rounds; round++)
        {
            (HarnessClient client, byte[] token) = await harness.JoinAsync($"player {round}");
            await harness.BreakAsync(client);
            HarnessClient next = await harness.Inner.ConnectAsync();
            HarnessClient other = await harness.Inner.ConnectAsync();
            bool isLogout = round % 2 == 0;

            await Task.WhenAll(
                Task.Run(() => harness.Sessions.ResumeAsync(next.Session.Connection, token).AsTask()),
                Task.Run(async () =>
                {
                    if (isLogout)
                    {
                        await harness.Sessions.EndAsync(client.Session);
                    }
                    else if (harness.Sessions.Bind(other.Session, client.Session.User!) is { } older)
                    {
                        older.Connection.Close(CloseReason.TakenOver);
                    }
                }));
            await harness.Inner.IdleAsync();
            await Eventually.TrueAsync(() => client.Session.HasEnded);
            await harness.Inner.IdleAsync();

            Assert.Equal(0, harness.Room.MemberCount);
            Assert.Equal(0, harness.Sessions.AwayCount);
            Assert.Null((await harness.ResumeAsync(token)).Resumption);
            Assert.Equal(client.Session, Assert.Single(harness.Ends).Session);
            harness.Ends.Clear();
        }
    }

    [Fact]
    public async Task A_stop_while_sessions_break_and_resume_ends_each_once()
    {
        for (int round = 0; round < 10; round++)
        {
            await using ResumeHarness harness = await ResumeHarness.StartAsync();
            List<Session> sessions = [];
            List<Task> tasks = [];
            for (int i = 0; i < 4; i++)
            {
                (HarnessClient client, byte[] token) = await harness.JoinAsync($"player {i}");
                sessions.Add(client.Session);
                HarnessClient next = await harness.Inner.ConnectAsync();
                tasks.Add(Task.Run(async () =>
                {
                    client.Break();
                    await harness.Sessions.ResumeAsync(next.Session.Connection, token);
                }));
            }

            tasks.Add(Task.Run(() => harness.Server.StopAsync()));
            await Task.WhenAll(tasks).WaitAsync(TestTimeouts.Hang);

            Assert.Equal(0, harness.Sessions.Count);
            Assert.Equal(0, harness.Sessions.AwayCount);
            Assert.Equal(0, harness.Room.MemberCount);
            Assert.All(sessions, session => Assert.Single(harness.Ends, end => end.Session == session));
        }
    }

    [Fact]
    public async Task A_join_while_the_connection_breaks_makes_a_member_that_returns_or_none()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        for (int round = 0; round < Rounds; round++)
        {
            HarnessClient client = await harness.Inner.ConnectAsync();
            harness.Sessions.Bind(client.Session, new SessionUser(round, $"player {round}"));
            ReadOnlyMemory<byte> token = await harness.Sessions.IssueResumeTokenAsync(client.Session);

            await Task.WhenAll(
                Task.Run(() => harness.Room.JoinAsync(client.Session).AsTask()),
                Task.Run(client.Break));
            await harness.Inner.IdleAsync();
            Assert.Equal("away", harness.Room.Hooks[^1]);
            (HarnessClient returned, _) = await harness.ResumeAsync(token);

            Assert.Equal(["away", "return"], harness.Room.Hooks[^2..]);
            Assert.Equal(["room: back"], returned.Texts());
            await harness.Sessions.EndAsync(client.Session);
            await harness.Inner.IdleAsync();
            Assert.Equal(0, harness.Room.MemberCount);
        }
    }
}
