using PlayChat.Core.Hosting;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class HandshakeDeadlinesTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly StubLink _link = new();
    private readonly StubLink _other = new();

    public void Dispose()
    {
        _link.Dispose();
        _other.Dispose();
    }

    [Fact]
    public void One_timer_ends_each_step_at_its_own_time()
    {
        var deadlines = new HandshakeDeadlines(_time);
        HandshakeDeadline late = deadlines.Start(_link, TimeSpan.FromSeconds(10));
        HandshakeDeadline early = deadlines.Start(_other, TimeSpan.FromSeconds(5)); // began later, ends earlier

        _time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal((true, true, false, false), (_other.IsAborted, early.HasPassed, _link.IsAborted, late.HasPassed));
        Assert.Equal(1, _time.PendingTimers);

        _time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal((true, true), (_link.IsAborted, late.HasPassed));
        Assert.Equal(0, _time.PendingTimers);
    }

    [Fact]
    public void A_step_that_is_done_is_not_ended_and_the_next_one_has_its_whole_time()
    {
        var deadlines = new HandshakeDeadlines(_time);
        deadlines.Start(_link, TimeSpan.FromSeconds(10)).Dispose();
        _time.Advance(TimeSpan.FromSeconds(9));
        HandshakeDeadline next = deadlines.Start(_other, TimeSpan.FromSeconds(10));

        _time.Advance(TimeSpan.FromSeconds(9)); // the timer of the first step passes

        Assert.Equal((false, false), (_link.IsAborted, _other.IsAborted));

        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal((false, true, true), (_link.IsAborted, _other.IsAborted, next.HasPassed));
    }

    [Fact]
    public void A_stop_ends_all_steps_and_those_that_begin_afterwards()
    {
        var deadlines = new HandshakeDeadlines(_time);
        HandshakeDeadline running = deadlines.Start(_link, TimeSpan.FromSeconds(10));
        CancellationToken token = running.CreateToken();

        deadlines.Stop();
        HandshakeDeadline later = deadlines.Start(_other, TimeSpan.FromSeconds(10));

        Assert.Equal((true, true), (_link.IsAborted, token.IsCancellationRequested));
        Assert.Equal((true, true), (_other.IsAborted, later.CreateToken().IsCancellationRequested));
        Assert.Equal((false, false), (running.HasPassed, later.HasPassed));
        Assert.Equal(0, _time.PendingTimers);
    }
}
