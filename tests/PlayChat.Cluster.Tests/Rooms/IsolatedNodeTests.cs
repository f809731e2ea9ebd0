using PlayChat.Cluster.Tests.Local;
using PlayChat.Core;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A node that reaches neither directory nor log, by a clock that the test moves. Lease and log have their defaults.</summary>
public sealed class IsolatedNodeTests()
    : HallContract(static () => Task.FromResult<BackplaneSpace>(new LocalSpace(new ManualTimeProvider())))
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(100); // the node looks as often

    private protected override TimeSpan Lease => TimeSpan.FromSeconds(10);

    private protected override TimeSpan PendingTimeout => TimeSpan.FromSeconds(5);

    [Fact]
    public async Task An_idle_node_that_loses_directory_and_log_closes_its_members_within_its_lease()
    {
        var time = (ManualTimeProvider)Space.Time;
        (HallNode node, HallClient ann) = await StartAsync("ann");
        time.Advance(Lease / 3); // past the timers of the start
        await Eventually.TrueAsync(() => node.Switch.Renewals > 0);
        int timers = time.PendingTimers;

        node.Switch.LoseDirectory();
        await Space.SuspendAsync();
        for (TimeSpan passed = TimeSpan.Zero; passed + s_step < Lease && !ann.Connection.Closed.IsCompleted; passed += s_step)
        {
            time.Advance(s_step);
            await Task.WhenAny(time.WaitForTimersAsync(timers), ann.Connection.Closed).WaitAsync(TestTimeouts.Hang); // it has looked
        }

        Assert.Equal(CloseReason.NodeFenced, await ann.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }
}
