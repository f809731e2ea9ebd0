using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionCloseTests
{
    [Fact]
    public async Task Close_delivers_what_is_queued_and_then_ends_our_side()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.HoldSends = true;
        harness.Connection.Send([1]);
        harness.Connection.Send([2]);

        harness.Connection.Close();
        Assert.False(harness.Connection.Send([3]));
        Assert.False(harness.Stub.IsShutdown);
        harness.Stub.CompleteSend();
        Assert.False(harness.Stub.IsShutdown);
        harness.Stub.CompleteSend();

        Assert.True(harness.Stub.IsShutdown);
        Assert.Equal(10, harness.Stub.SentBytes);
        Assert.False(harness.Connection.Closed.IsCompleted); // the peer's end is awaited
        harness.Stub.FeedEnd();
        Assert.Equal(CloseReason.LocalClose, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Close_in_a_handler_sends_the_batchs_answers_first_and_handles_nothing_more()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            connection.Close(CloseReason.TakenOver);
            return default;
        };

        harness.Stub.Feed((byte[])[.. harness.Frame(1), .. harness.Frame(2)]);

        Assert.Equal(1, harness.Handler.Frames);
        Assert.Equal(8, harness.Stub.SentBytes);
        Assert.True(harness.Stub.IsShutdown);
    }

    [Fact]
    public async Task Abort_drops_what_is_queued()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.HoldSends = true;
        harness.Connection.Send([1]);
        harness.Connection.Send([2]);

        harness.Connection.Abort();

        Assert.Equal(CloseReason.LocalClose, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Stub.Sends);
        Assert.False(harness.Stub.IsShutdown);
        Assert.Equal(1, harness.Stub.Disposals);
    }

    [Fact]
    public async Task The_first_reason_wins_and_the_end_is_reported_once()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();

        harness.Connection.Close(CloseReason.TakenOver);
        harness.Connection.Close(CloseReason.IdleTimeout);
        harness.Connection.Abort(CloseReason.ServerShutdown);
        harness.Connection.Abort(CloseReason.SlowConsumer);
        harness.Stub.FeedEnd(CloseReason.PeerReset);

        Assert.Equal(CloseReason.TakenOver, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.TakenOver, harness.Handler.Reason);
        Assert.Equal(1, harness.Handler.Closes);
        Assert.Equal(1, harness.Logger.Count("Closed"));
        Assert.Equal(1, harness.Metrics.ReadCloses()[(int)CloseReason.TakenOver]);
        Assert.Equal(1, harness.Metrics.ReadCloses().Sum());
    }

    [Fact]
    public async Task A_peer_that_only_ends_its_own_direction_still_gets_what_is_queued()
    {
        await using ConnectionHarness harness = ConnectionHarness.InMemory(linkBytes: 1000).Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            connection.Send(new byte[50_000]);
            return default;
        };

        await harness.Client.SendAsync(harness.Frame(1));
        harness.Client.Shutdown();

        Assert.Equal(50_004, (await harness.Client.ReceiveToEndAsync()).Length);
        Assert.Equal(CloseReason.PeerClosed, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_reset_by_the_peer_is_told_from_its_orderly_end()
    {
        await using ConnectionHarness harness = ConnectionHarness.InMemory().Start();

        harness.Client.Abort();

        Assert.Equal(CloseReason.PeerReset, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_end_waits_for_the_handler_that_is_at_work()
    {
        var work = new TaskCompletionSource();
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);
        harness.Stub.Feed(harness.Frame(1));

        harness.Connection.Abort();
        Assert.Equal(0, harness.Handler.Closes);
        work.SetResult();

        await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.False(harness.Handler.ClosedTooEarly);
    }

    [Fact]
    public async Task A_close_that_takes_too_long_becomes_an_abort()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using var set = new ConnectionSet(harness.Options, harness.Time, TimeSpan.FromSeconds(1), inspect: null);
        set.TryAdd(harness.Connection);

        harness.Connection.Close(CloseReason.TakenOver);
        harness.Time.Advance(harness.Options.CloseTimeout - TimeSpan.FromSeconds(1));
        Assert.False(harness.Stub.IsAborted);
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.True(harness.Stub.IsAborted);
        Assert.Equal(CloseReason.TakenOver, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Closed_may_be_asked_for_after_the_end()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.PeerClosed, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.True(harness.Connection.Aborted.IsCancellationRequested);
    }
}
