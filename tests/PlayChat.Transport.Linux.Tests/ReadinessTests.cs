namespace PlayChat.Transport.Linux.Tests;

public sealed class ReadinessTests
{
    [Fact]
    public void An_edge_between_the_clear_and_the_wait_is_not_lost()
    {
        Readiness readiness = default;
        readiness.Clear();

        Assert.Equal(ReadinessWaiter.None, readiness.Set());

        Assert.True(readiness.IsReady);
        Assert.False(readiness.TryArm());
        Assert.False(readiness.TryAwait(static _ => { }, null));
    }

    [Fact]
    public void An_edge_reports_what_waits_once()
    {
        Readiness readiness = default;
        var called = new List<object?>();

        Assert.True(readiness.TryAwait(called.Add, "argument"));
        Assert.Equal("argument", readiness.Argument);
        Assert.Equal(ReadinessWaiter.Continuation, readiness.Set());
        readiness.Continue();
        Assert.Equal(ReadinessWaiter.None, readiness.Set());
        readiness.Clear();
        Assert.True(readiness.TryArm());
        Assert.Equal(ReadinessWaiter.Operation, readiness.Set());

        Assert.Equal(["argument"], called);
    }

    [Fact]
    public void What_a_system_call_leaves_behind_keeps_the_direction_ready()
    {
        Readiness readiness = default;
        readiness.Clear();

        readiness.Keep();

        Assert.True(readiness.IsReady);
        Assert.False(readiness.TryArm());
    }
}
