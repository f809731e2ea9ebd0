using System.Collections.Concurrent;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A game whose heroes are loaded at the login and saved when they leave their room.</summary>
public sealed class LoginTests
{
    private static readonly TimeSpan s_window = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly ConcurrentDictionary<long, int> _saved = new();
    private readonly ConcurrentDictionary<string, string> _barred = new(StringComparer.Ordinal);
    private readonly MemoryResumeStore _store = new();
    private DateTimeOffset? _expiresAt; // of logins from now on
    private string? _kept; // why a login does not take over
    private string? _closed; // why nobody may enter
    private readonly Channel<bool> _slow = Channel.CreateUnbounded<bool>(); // logins that wait
    private readonly TaskCompletionSource _answerSlow = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task A_login_is_answered_with_a_token_and_other_packets_need_one()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient stranger = await harness.ConnectAsync();

        LoggedIn wrong = await ann.RequestAsync<LoggedIn>(new LogIn("ann", "wrong"));
        LoggedIn right = await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        LoggedIn again = await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        stranger.SendPacket(new Walk(1));
        await harness.IdleAsync();

        Assert.Equal("Incorrect name or password.", wrong.Refusal);
        Assert.Empty(wrong.Token);
        Assert.Null(right.Refusal);
        Assert.Equal((ResumeTable.TokenBytes, false, 0), (right.Token.Length, right.IsResumed, right.Steps));
        Assert.StartsWith("This connection is logged in as ann.", again.Refusal, StringComparison.Ordinal);
        Assert.Equal("ann", ann.Session.User!.Name);
        Assert.Equal(CloseReason.LoginRequired, await stranger.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_client_that_does_not_log_in_is_closed_and_one_that_tries_too_often_is_not_answered()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient guesser = await harness.ConnectAsync();
        for (int i = 0; i < 4; i++)
        {
            guesser.SendPacket(new LogIn("ann", $"guess {i}"), requestId: 1);
        }

        await harness.IdleAsync();
        Assert.Equal(3, guesser.Received<LoggedIn>().Count);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(12));
        Assert.Equal(CloseReason.LoginTimeout, await guesser.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_newer_login_takes_over_with_what_the_older_sessions_room_has_saved()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient older = await harness.ConnectAsync();
        await older.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        older.SendPacket(new Walk(3));
        await harness.IdleAsync();

        HarnessClient newer = await harness.ConnectAsync();
        LoggedIn answer = await newer.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));

        Assert.Equal(3, answer.Steps);
        Assert.Equal(CloseReason.TakenOver, await older.Closed.WaitAsync(TestTimeouts.Hang)); // told, so that it does not come back
        Assert.Same(newer.Session, harness.Server.Sessions.FindUser("ann"));
    }

    [Fact]
    public async Task An_older_session_may_be_kept()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        _kept = "You play on another machine.";
        HarnessClient older = await harness.ConnectAsync();
        await older.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        HarnessClient newer = await harness.ConnectAsync();

        Assert.Equal(_kept, (await newer.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Refusal);
        Assert.True(older.Connection.IsOpen);
        older.SendPacket(new LogOut());
        await older.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Null((await newer.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Refusal); // on the same connection
    }

    [Fact]
    public async Task A_session_resumes_by_its_token_alone_and_a_confirmed_token_voids_the_one_before()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient client = await harness.ConnectAsync();
        byte[] first = (await client.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
        client.Break();
        await harness.IdleAsync();

        HarnessClient returned = await harness.ConnectAsync();
        LoggedIn resumed = await returned.RequestAsync<LoggedIn>(new LogIn("", "", first));
        Assert.Equal((null, true), (resumed.Refusal, resumed.IsResumed));
        Assert.Empty(_saved); // it is in its room
        returned.SendPacket(new Confirm());
        await harness.IdleAsync();

        HarnessClient thief = await harness.ConnectAsync();
        Assert.NotNull((await thief.RequestAsync<LoggedIn>(new LogIn("", "", first))).Refusal);
        Assert.True(returned.Connection.IsOpen);
    }

    [Fact]
    public async Task A_lost_token_leads_to_a_login_in_the_same_request_with_what_was_saved()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient client = await harness.ConnectAsync();
        byte[] token = (await client.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
        client.SendPacket(new Walk(5));
        await harness.IdleAsync();
        client.Break();
        await harness.AdvanceAsync(s_window + TimeSpan.FromSeconds(1)); // the session has ended

        LoggedIn back = await (await harness.ConnectAsync()).RequestAsync<LoggedIn>(new LogIn("ann", "secret", token));

        Assert.Equal((null, false, 5), (back.Refusal, back.IsResumed, back.Steps));
    }

    [Fact]
    public async Task Who_may_not_come_in_is_refused_at_login_and_at_resume()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        byte[] token = (await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
        ann.Break();
        await harness.IdleAsync();
        _barred["ann"] = "You are banned.";

        HarnessClient returned = await harness.ConnectAsync();
        Assert.Equal("You are banned.", (await returned.RequestAsync<LoggedIn>(new LogIn("", "", token))).Refusal);
        await returned.Closed.WaitAsync(TestTimeouts.Hang);
        HarnessClient other = await harness.ConnectAsync();
        Assert.Equal("You are banned.", (await other.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Refusal);

        Assert.True(other.Connection.IsOpen);
        Assert.Null(harness.Server.Sessions.FindUser("ann"));
        Assert.True(_saved.ContainsKey(3)); // the refused resume has ended the session
    }

    [Fact]
    public async Task A_user_that_the_game_does_not_let_in_is_logged_out_and_closed()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        _closed = "The hall is closed.";
        HarnessClient ann = await harness.ConnectAsync();

        Assert.Equal(_closed, (await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Refusal);
        await ann.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Null(harness.Server.Sessions.FindUser("ann"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_restart_a_stored_token_lets_the_user_in_anew(bool isStoreAway)
    {
        byte[] token;
        await using (RoomHarness<Hall> first = await StartAsync(store: true))
        {
            HarnessClient client = await first.ConnectAsync();
            token = (await client.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
            client.SendPacket(new Walk(2));
            await first.IdleAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        _store.Fault = isStoreAway ? new IOException("away") : null;
        await using RoomHarness<Hall> second = await StartAsync(store: true);
        HarnessClient back = await second.ConnectAsync();
        LoggedIn answer = await back.RequestAsync<LoggedIn>(isStoreAway ? new LogIn("ann", "secret", token) : new LogIn("", "", token));

        Assert.Equal((null, false, 2), (answer.Refusal, answer.IsResumed, answer.Steps));
        Assert.Equal(1, second.Room.MemberCount);
    }

    [Fact]
    public async Task A_login_for_a_limited_time_is_not_restored_without_its_limit()
    {
        byte[] token;
        await using (RoomHarness<Hall> first = await StartAsync(store: true))
        {
            _expiresAt = first.Time.GetUtcNow() + s_minute;
            token = (await (await first.ConnectAsync()).RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using RoomHarness<Hall> second = await StartAsync(store: true);
        Assert.NotNull((await (await second.ConnectAsync()).RequestAsync<LoggedIn>(new LogIn("", "", token))).Refusal);
        Assert.Empty(_store.Records);
    }

    [Fact]
    public async Task A_login_that_outlives_its_connection_takes_over_from_nobody()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient older = await harness.ConnectAsync();
        await older.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        HarnessClient newer = await harness.ConnectAsync();
        newer.SendPacket(new LogIn("ann", "slow"), requestId: 1);
        await _slow.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        newer.Session.Connection.Abort(CloseReason.PeerReset);
        _answerSlow.SetResult();
        await harness.IdleAsync();

        Assert.True(older.Connection.IsOpen);
        Assert.Same(older.Session, harness.Server.Sessions.FindUser("ann"));
    }

    [Fact]
    public async Task A_login_for_a_limited_time_closes_the_session_unless_it_is_renewed()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        _expiresAt = harness.Time.GetUtcNow() + s_minute;
        await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        await harness.AdvanceAsync(s_minute / 2);

        _expiresAt = harness.Time.GetUtcNow() + s_minute;
        LoggedIn other = await ann.RequestAsync<LoggedIn>(new LogIn("bob", "secret"));
        LoggedIn renewed = await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"));
        await harness.AdvanceAsync(s_minute - TimeSpan.FromSeconds(2));

        Assert.StartsWith("This connection is logged in as ann.", other.Refusal, StringComparison.Ordinal);
        Assert.Equal((null, true), (renewed.Refusal, renewed.IsResumed));
        Assert.True(ann.Connection.IsOpen);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(4));
        Assert.Equal(CloseReason.LoginExpired, await ann.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Null(harness.Server.Sessions.FindUser("ann")); // it may not resume
    }

    [Theory]
    [InlineData("secret", true)]
    [InlineData("wrong", false)]
    public async Task A_session_whose_login_expired_while_it_was_away_resumes_with_a_new_proof_alone(string proof, bool isIn)
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        _expiresAt = harness.Time.GetUtcNow() + (s_window / 2);
        byte[] token = (await ann.RequestAsync<LoggedIn>(new LogIn("ann", "secret"))).Token;
        ann.Break();
        await harness.AdvanceAsync(s_window - TimeSpan.FromSeconds(2));
        _expiresAt = harness.Time.GetUtcNow() + s_minute;

        HarnessClient returned = await harness.ConnectAsync();
        LoggedIn answer = await returned.RequestAsync<LoggedIn>(new LogIn("ann", proof, token));

        Assert.Equal((isIn, isIn), (answer.Refusal is null, answer.IsResumed));
        await harness.AdvanceAsync(TimeSpan.FromSeconds(5));
        Assert.Equal(isIn, returned.Connection.IsOpen);
    }

    [Fact]
    public async Task LoginClient_logs_in_resumes_and_logs_in_again()
    {
        await using RoomHarness<Hall> harness = await StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(), Packets(), static _ => { }, transport: harness.Transport, time: harness.Time);
        var answers = Channel.CreateUnbounded<LoggedIn>();
        var login = new LoginClient<LogIn, LoggedIn>(
            claim => new LogIn("ann", "secret", claim?.Token.ToArray(), claim?.FramesReceived),
            static answer => (answer.Refusal, answer.Token))
        {
            Entered = answer => answers.Writer.TryWrite(answer),
        };
        var ended = new TaskCompletionSource<ReconnectEnd>();
        await using ReconnectingConnection link = await connector.ConnectLastingAsync(
            harness.Server.EndPoints[0], login.EnterAsync, new ReconnectOptions { FirstDelay = TimeSpan.Zero, Ended = ended.SetResult });
        Assert.False((await answers.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang)).IsResumed);
        link.Current!.SendPacket(new Walk(4));
        await harness.IdleAsync();

        harness.Server.Sessions.FindUser("ann")!.Connection.Abort(CloseReason.PeerReset);
        Assert.True((await answers.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang)).IsResumed);
        await Eventually.TrueAsync(() => harness.Room.Returns == "recovered");

        await EndAsync(harness);
        LoggedIn anew = await answers.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal((false, 4), (anew.IsResumed, anew.Steps));

        _barred["ann"] = "You are banned.";
        await EndAsync(harness);
        var refused = Assert.IsType<RequestFailedException>((await ended.Task.WaitAsync(TestTimeouts.Hang)).Error);
        Assert.Equal("You are banned.", refused.Message);
    }

    [Fact]
    public async Task A_server_has_one_login_and_it_needs_packets()
    {
        LoginRules<LogIn, LoggedIn> rules = Rules();
        Assert.Throws<InvalidOperationException>(() => new PlayChatServer().UseLogin(rules).UseLogin(rules));
        await using PlayChatServer server =
            new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0")).UseLogin(rules).OnFrame(static (_, _) => { });
        var fault = await Assert.ThrowsAsync<InvalidOperationException>(() => server.StartAsync());
        Assert.Contains("OnPackets", fault.Message, StringComparison.Ordinal);
    }

    /// <summary>Ends the session, so that its token is void, and breaks its connection.</summary>
    private static async Task EndAsync(RoomHarness<Hall> harness)
    {
        Session session = harness.Server.Sessions.FindUser("ann")!;
        await harness.Server.Sessions.EndAsync(session);
        session.Connection.Abort(CloseReason.PeerReset);
    }

    private static PacketSet Packets() => new PacketSet()
        .AddJson(1, LoginJson.Default.LogIn)
        .AddJson(2, LoginJson.Default.LoggedIn)
        .AddJson(3, LoginJson.Default.LogOut)
        .AddJson(4, LoginJson.Default.Confirm)
        .AddJson(5, LoginJson.Default.Walk);

    private Task<RoomHarness<Hall>> StartAsync(bool store = false) => RoomHarness.StartAsync(
        context => new Hall(context, _saved),
        Packets(),
        server =>
        {
            server.Options.Sessions.ResumeWindow = s_window;
            server.Options.Sessions.ReplayBytes = 4096;
            if (store)
            {
                server.UseResumeStore(_store);
            }

            server.UseLogin(Rules(), attemptsPerMinute: 3).OnPackets(router =>
            {
                router.MapLogout<LogOut>();
                router.MapResumeConfirmation<Confirm>();
                router.MapRoomPacket<Hall, Hero, Walk>(static (_, _, hero, walk) => hero.Steps += walk.Steps);
            });
        });

    private LoginRules<LogIn, LoggedIn> Rules() => new()
    {
        Identify = async (context, login, stop) =>
        {
            if (login.Secret == "slow")
            {
                _slow.Writer.TryWrite(true);
                await _answerSlow.Task;
            }

            return login.Secret is not ("secret" or "slow") ? LoginDecision.Refuse("Incorrect name or password.")
                : _expiresAt is { } end ? LoginDecision.Until(new SessionUser(login.Name.Length, login.Name), end)
                : new SessionUser(login.Name.Length, login.Name);
        },
        Admit = (_, _, user, _) => new(_barred.GetValueOrDefault(user.Name)),
        KeepOlder = (_, _) => _kept,
        Enter = async (context, _, stop) =>
        {
            int steps = _saved.GetValueOrDefault(context.Session.User!.Id);
            return _closed ?? (await context.Rooms.Get<Hall>("room").JoinAsync(context.Session, steps, cancellationToken: stop)).Reason;
        },
        Resume = login => login.Token is { } token ? new ResumeClaim(token, login.Frames) : null,
        Answer = result => new LoggedIn(
            result.Refusal,
            result.Token.ToArray(),
            result.IsResumed,
            result.Refusal is null ? _saved.GetValueOrDefault(result.Session.User!.Id) : 0),
    };

    internal sealed record LogIn(string Name, string Secret, byte[]? Token = null, long? Frames = null);

    internal sealed record LoggedIn(string? Refusal, byte[] Token, bool IsResumed, int Steps);

    internal sealed record LogOut;

    internal sealed record Confirm;

    internal sealed record Walk(int Steps);

    private sealed class Hero(Session session, int steps) : RoomMember(session)
    {
        public int Steps { get; set; } = steps;
    }

    private sealed class Hall(RoomContext context, ConcurrentDictionary<long, int> saved) : Room<Hero, int>(context)
    {
        public string? Returns { get; private set; }

        protected override JoinDecision<Hero> OnJoining(Session session, int steps) => new Hero(session, steps);

        protected override void OnReturn(Hero hero) => Returns = hero.IsRecovered ? "recovered" : "returned";

        protected override void OnLeave(Hero hero, LeaveReason reason) => saved[hero.Session.User!.Id] = hero.Steps;
    }
}
