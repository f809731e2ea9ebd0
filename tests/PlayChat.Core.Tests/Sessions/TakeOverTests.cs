using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>What a room saves when a session leaves is there before the user's next session continues.</summary>
public sealed class TakeOverTests : IAsyncDisposable
{
    private static readonly SessionUser s_ann = new(7, "ann");

    private readonly ManualResetEventSlim _hold = new();

    [Fact]
    public async Task EndAsync_waits_until_the_rooms_have_called_OnLeave()
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        Session session = await EnterAsync(harness);
        Hold(harness);

        Task ending = harness.Server.Sessions.EndAsync(session).AsTask();
        Assert.False(ending.IsCompleted);
        Assert.Null(harness.Server.Sessions.FindUser("ann"));
        _hold.Set();
        await ending.WaitAsync(TestTimeouts.Hang);

        Assert.Equal([session.Id], harness.Room.Saved);
        await harness.Server.Sessions.EndAsync(session).AsTask().WaitAsync(TestTimeouts.Hang); // and again
    }

    [Fact]
    public async Task A_take_over_tells_the_older_client_at_once_and_waits_for_what_its_rooms_save()
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        Session older = await EnterAsync(harness);
        Session newer = (await harness.ConnectAsync()).Session;
        Hold(harness);

        Task<Session?> takingOver = harness.Server.Sessions.TakeOverAsync(newer, s_ann).AsTask();
        Assert.Equal(CloseReason.TakenOver, await older.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Same(newer, harness.Server.Sessions.FindUser(7));
        Assert.False(takingOver.IsCompleted);
        _hold.Set();

        Assert.Same(older, await takingOver.WaitAsync(TestTimeouts.Hang));
        Assert.Equal([older.Id], harness.Room.Saved);
    }

    [Fact]
    public async Task A_third_session_waits_for_the_rooms_of_the_first_as_well()
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        Session first = await EnterAsync(harness);
        Session second = (await harness.ConnectAsync()).Session;
        Session third = (await harness.ConnectAsync()).Session;
        Hold(harness);

        Task<Session?> takingOver = harness.Server.Sessions.TakeOverAsync(second, s_ann).AsTask();
        Task<Session?> takingOverAgain = harness.Server.Sessions.TakeOverAsync(third, s_ann).AsTask();
        await second.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.False(takingOverAgain.IsCompleted);
        _hold.Set();

        Assert.Same(second, await takingOverAgain.WaitAsync(TestTimeouts.Hang));
        Assert.Equal([first.Id], harness.Room.Saved);
        Assert.Same(first, await takingOver.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_login_waits_for_the_rooms_of_a_session_that_has_just_ended_by_itself(bool wasTakenOver)
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        HarnessClient client = await harness.ConnectAsync();
        Session gone = await EnterAsync(harness, client);
        Hold(harness);
        if (wasTakenOver)
        {
            HarnessClient between = await harness.ConnectAsync();
            _ = harness.Server.Sessions.TakeOverAsync(between.Session, s_ann).AsTask();
            client = between;
        }

        client.Break();
        await Eventually.TrueAsync(() => harness.Server.Sessions.FindUser("ann") is null);
        Task<Session?> login = harness.Server.Sessions.TakeOverAsync((await harness.ConnectAsync()).Session, s_ann).AsTask();
        Assert.False(login.IsCompleted);
        _hold.Set();

        Assert.Null(await login.WaitAsync(TestTimeouts.Hang)); // there was no session to take over from
        Assert.Equal([gone.Id], harness.Room.Saved);
    }

    [Fact]
    public async Task A_login_of_another_user_waits_for_nothing_and_a_cancelled_wait_leaves_the_session_ended()
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        Session session = await EnterAsync(harness);
        Hold(harness);
        using var stop = new CancellationTokenSource();

        Task ending = harness.Server.Sessions.EndAsync(session, cancellationToken: stop.Token).AsTask();
        Session bob = (await harness.ConnectAsync()).Session;
        Assert.Null(await harness.Server.Sessions.TakeOverAsync(bob, new SessionUser(8, "bob")).AsTask().WaitAsync(TestTimeouts.Hang));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ending);
        _hold.Set();
        await harness.IdleAsync();

        Assert.Equal([session.Id], harness.Room.Saved);
    }

    [Fact]
    public async Task Nothing_is_kept_of_sessions_that_their_rooms_have_let_go()
    {
        await using RoomHarness<SavingRoom> harness = await StartAsync();
        for (int i = 0; i < 3; i++)
        {
            Session session = await EnterAsync(harness);
            await harness.Server.Sessions.EndAsync(session);
            await harness.Server.Sessions.EndAsync((await harness.ConnectAsync()).Session); // one without rooms
        }

        await Eventually.TrueAsync(() => harness.Server.Sessions.LeavingCount == 0);
    }

    public ValueTask DisposeAsync()
    {
        _hold.Set(); // a failed assertion must not hold the room
        _hold.Dispose();
        return default;
    }

    private static Task<RoomHarness<SavingRoom>> StartAsync() => HarnessSteps.StartAsync(static context => new SavingRoom(context));

    private static async Task<Session> EnterAsync(RoomHarness<SavingRoom> harness, HarnessClient? client = null)
    {
        Session session = (client ?? await harness.ConnectAsync()).Session;
        await harness.Server.Sessions.TakeOverAsync(session, s_ann);
        Assert.True((await harness.Room.JoinAsync(session)).IsJoined);
        await harness.IdleAsync();
        return session;
    }

    /// <summary>Keeps the room's turn from ending.</summary>
    private void Hold(RoomHarness<SavingRoom> harness)
    {
        using var held = new ManualResetEventSlim();
        harness.Room.Post(_ =>
        {
            held.Set();
            _hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(held.Wait(TestTimeouts.Hang));
    }

    private sealed class SavingRoom(RoomContext context) : Room<RoomMember>(context)
    {
        public List<long> Saved { get; } = [];

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnLeave(RoomMember member, LeaveReason reason) => Saved.Add(member.Session.Id);
    }
}
