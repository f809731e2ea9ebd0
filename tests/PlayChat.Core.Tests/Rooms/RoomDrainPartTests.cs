using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomDrain"/> without a room around it.</summary>
public sealed class RoomDrainPartTests
{
    [Fact]
    public void A_waiter_completes_with_the_next_flush()
    {
        var drain = default(RoomDrain);
        Assert.False(drain.IsAwaited);
        TaskCompletionSource[] waiters = [new(), new()];
        Array.ForEach(waiters, waiter => drain.Add(waiter));
        Assert.True(drain.IsAwaited);

        drain.OnFlushed(isTimerDue: false);

        Assert.All(waiters, static waiter => Assert.True(waiter.Task.IsCompletedSuccessfully));
        Assert.False(drain.IsAwaited);
    }

    [Fact]
    public void A_due_timer_puts_a_waiter_off_by_one_flush_and_no_more()
    {
        var drain = default(RoomDrain);
        var first = new TaskCompletionSource();
        var second = new TaskCompletionSource();
        drain.Add(first);

        drain.OnFlushed(isTimerDue: true);
        Assert.False(first.Task.IsCompleted);
        Assert.True(drain.IsAwaited);
        drain.Add(second);
        drain.OnFlushed(isTimerDue: true);

        Assert.True(first.Task.IsCompletedSuccessfully);
        Assert.False(second.Task.IsCompleted);
        drain.OnFlushed(isTimerDue: true);
        Assert.True(second.Task.IsCompletedSuccessfully);
        Assert.False(drain.IsAwaited);
    }
}
