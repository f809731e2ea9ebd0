using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class OffloadTests
{
    [Fact]
    public async Task Work_runs_elsewhere_and_its_end_ends_the_task()
    {
        using var allowed = new ManualResetEventSlim();
        (ManualResetEventSlim Allowed, List<int> Done) state = (allowed, []);

        ValueTask running = Offload.Run(state, static state =>
        {
            state.Allowed.Wait(TestTimeouts.Hang);
            state.Done.Add(1);
        });
        Assert.False(running.IsCompleted);
        allowed.Set();
        await running.AsTask().WaitAsync(TestTimeouts.Hang);
        await Offload.Run(state, static async state =>
        {
            await Task.Yield();
            state.Done.Add(2);
        }).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal([1, 2], state.Done);
    }

    [Fact]
    public async Task What_the_work_throws_comes_out_of_the_task()
    {
        await Assert.ThrowsAsync<FormatException>(static () => Offload.Run(0, static (int _) => throw new FormatException()).AsTask());
        await Assert.ThrowsAsync<FormatException>(
            static () => Offload.Run(0, static _ => Task.FromException(new FormatException())).AsTask());
    }
}
