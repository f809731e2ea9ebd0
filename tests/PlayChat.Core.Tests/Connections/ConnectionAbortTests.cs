using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>What waits for the token of a connection is the application's, and is not run by whoever ends the connection.</summary>
public sealed class ConnectionAbortTests
{
    [Theory]
    [InlineData("abort")]
    [InlineData("slow consumer")]
    [InlineData("end of the peer")]
    public async Task The_token_is_cancelled_at_once_but_a_callback_on_it_that_blocks_holds_nobody_up(string end)
    {
        using var returned = new ManualResetEventSlim();
        var seen = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxOutboundBytes = 4096).Start();
        CancellationToken token = harness.Connection.Aborted;
        using CancellationTokenRegistration registration = token.Register(() => seen.SetResult(returned.Wait(TestTimeouts.Hang)));

        End(harness, end);
        Assert.True(token.IsCancellationRequested);
        returned.Set();

        Assert.True(await seen.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_callback_on_the_token_that_throws_is_logged()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using CancellationTokenRegistration registration =
            harness.Connection.Aborted.Register(static () => throw new InvalidOperationException("The application's fault."));

        harness.Connection.Abort();

        await Eventually.TrueAsync(() => harness.Logger.Count("AbortedHandlerFault") == 1);
    }

    private static void End(ConnectionHarness harness, string end)
    {
        switch (end)
        {
            case "abort":
                harness.Connection.Abort();
                break;
            case "slow consumer":
                harness.Stub.HoldSends = true;
                harness.Connection.Send([1]);
                Assert.False(harness.Connection.Send(new byte[5000]));
                break;
            default:
                harness.Stub.FeedEnd();
                break;
        }
    }
}
