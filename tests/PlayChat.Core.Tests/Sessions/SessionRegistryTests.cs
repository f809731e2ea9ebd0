using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

public sealed class SessionRegistryTests
{
    private static readonly SessionUser s_ann = new(1, "ann");

    [Fact]
    public async Task A_bound_session_is_found_by_its_user_and_by_its_id()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        var registry = new SessionRegistry(harness.Metrics, id => id == harness.Connection.Id ? harness.Connection : null);
        Session session = registry.Open(harness.Connection);

        Session? before = registry.Bind(session, s_ann);

        Assert.Null(before);
        Assert.Same(session, registry.FindUser("ann"));
        Assert.Null(registry.FindUser("Ann"));
        Assert.Same(session, registry.FindUser(s_ann.Id));
        Assert.Null(registry.FindUser(s_ann.Id + 1));
        Assert.Same(session, registry.Find(harness.Connection.Id));
        Assert.Same(session, Session.Of(harness.Connection));
        Assert.Throws<InvalidOperationException>(() => registry.Bind(session, s_ann));

        registry.Close(session);
        Assert.Null(registry.Find(harness.Connection.Id)); // though its connection is still there
        Assert.Equal(0, registry.Count);
    }

    [Fact]
    public async Task A_second_login_takes_over_and_the_end_of_the_first_does_not_take_the_name()
    {
        await using ConnectionHarness one = ConnectionHarness.OnStub().Start();
        await using ConnectionHarness two = ConnectionHarness.OnStub().Start();
        var registry = new SessionRegistry(one.Metrics);
        Session older = registry.Open(one.Connection);
        Session newer = registry.Open(two.Connection);
        registry.Bind(older, s_ann);

        Session? before = registry.Bind(newer, s_ann);
        older.Connection.Close(CloseReason.TakenOver);
        registry.Close(older);

        Assert.Same(older, before);
        Assert.Same(newer, registry.FindUser("ann"));
        Assert.Same(newer, registry.FindUser(s_ann.Id));
        Assert.Equal(1, registry.Count);
        registry.Close(newer);
        Assert.Null(registry.FindUser("ann"));
        Assert.Null(registry.FindUser(s_ann.Id));
        Assert.Equal(2, one.Metrics.Read(Counter.SessionsClosed));
    }

    [Fact]
    public async Task A_user_may_have_several_sessions_and_the_one_that_is_silent_for_longest_goes_first()
    {
        await using ConnectionHarness one = ConnectionHarness.OnStub().Start();
        await using ConnectionHarness two = ConnectionHarness.OnStub().Start();
        await using ConnectionHarness three = ConnectionHarness.OnStub().Start();
        var registry = new SessionRegistry(one.Metrics) { MaxPerUser = 2 };
        Session first = registry.Open(one.Connection);
        Session second = registry.Open(two.Connection);
        Session third = registry.Open(three.Connection);
        one.Time.Advance(TimeSpan.FromSeconds(1));
        one.Stub.Feed(one.Frame(1));
        one.Stub.Feed(one.Frame(1));

        Assert.Null(registry.Bind(first, s_ann));
        Assert.Null(registry.Bind(second, s_ann));
        Assert.Equal([first, second], registry.FindAllOfUser("ann"));
        Assert.Same(second, registry.Bind(third, s_ann)); // it has sent nothing for a second
        Assert.Equal([first, third], registry.FindAllOfUser(s_ann.Id));

        registry.Close(second); // it is no longer the user's
        registry.Close(third);
        Assert.Same(first, registry.FindUser("ann"));
        registry.Close(first);
        Assert.Empty(registry.FindAllOfUser("ann"));
        Assert.Null(registry.FindUser(s_ann.Id));
    }

    [Fact]
    public async Task A_session_that_ended_while_it_logged_in_is_not_found()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        var registry = new SessionRegistry(harness.Metrics);
        Session session = registry.Open(harness.Connection);
        registry.Close(session);

        registry.Bind(session, s_ann);

        Assert.Null(registry.FindUser("ann"));
    }

    [Fact]
    public Task Logins_and_ends_in_many_interleavings_leave_no_name_behind() => RaceAsync(rounds: 200);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Logins_and_ends_in_any_interleaving_leave_no_name_behind() => RaceAsync(rounds: 2000);

    private static async Task RaceAsync(int rounds)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        var registry = new SessionRegistry(harness.Metrics);
        Session one = null!; // written between two phases
        Session two = null!;
        using var barrier = new Barrier(3, barrier =>
        {
            if (barrier.CurrentPhaseNumber > 0)
            {
                Session? found = registry.FindUser("ann");
                Assert.True(found is null || found == two);
                registry.Close(two);
                Assert.Null(registry.FindUser("ann"));
            }

            one = registry.Open(new Connection(new StubLink(), harness.Services));
            two = registry.Open(new Connection(new StubLink(), harness.Services));
        });

        await Task.WhenAll(
            RunAsync(() => registry.Bind(one, s_ann)),
            RunAsync(() => registry.Bind(two, s_ann)),
            RunAsync(() => registry.Close(one)));

        Assert.Equal(rounds + 1, barrier.CurrentPhaseNumber);

        Task RunAsync(Action action) => Task.Factory.StartNew(
            () =>
            {
                for (int i = 0; i < rounds; i++)
                {
                    Assert.True(barrier.SignalAndWait(TestTimeouts.Hang));
                    action();
                }

                Assert.True(barrier.SignalAndWait(TestTimeouts.Hang));
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
    }
}
