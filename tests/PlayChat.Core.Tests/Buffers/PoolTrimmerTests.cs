using PlayChat.Core.Buffers;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Buffers;

public sealed class PoolTrimmerTests
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly CountingPool _arrays = new();
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void A_burst_has_given_its_memory_back_a_minute_after_its_end()
    {
        var pool = new SegmentPool(_arrays);
        using var trimmer = new PoolTrimmer(pool, _time);
        _time.Advance(PoolTrimmer.Interval / 2);
        Segment[] burst = [.. Enumerable.Range(0, 100).Select(_ => pool.RentSegment(SegmentPool.ReceiveBytes))];
        _time.Advance(PoolTrimmer.Interval);

        Array.ForEach(burst, static segment => segment.Release());
        Assert.Equal(100, _arrays.InUse);
        _time.Advance(s_minute);

        Assert.Equal(0, _arrays.InUse);
    }

    [Fact]
    public void A_burst_that_comes_back_within_an_interval_finds_its_memory()
    {
        var pool = new SegmentPool(_arrays);
        using var trimmer = new PoolTrimmer(pool, _time);

        for (int i = 0; i < 20; i++)
        {
            Segment[] burst = [.. Enumerable.Range(0, 100).Select(_ => pool.RentSegment(SegmentPool.ReceiveBytes))];
            Array.ForEach(burst, static segment => segment.Release());
            _time.Advance(PoolTrimmer.Interval * 0.9);
        }

        Assert.Equal(100, _arrays.Rents);
    }

    [Fact]
    public async Task A_silent_server_has_given_its_memory_back_a_minute_later_by_its_own_clock()
    {
        var gone = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .UsePool(_arrays)
            .OnFrame(static (connection, frame) => connection.Send(in frame))
            .OnDisconnected((_, _) => gone.SetResult()));
        TransportConnection client = await harness.ConnectAsync();
        await client.SendAsync(ServerHarness.Frame(1, 2, 3));
        await client.ReceiveAsync(ServerHarness.Frame(1, 2, 3).Length);
        client.Abort();
        await gone.Task.WaitAsync(TestTimeouts.Hang);

        Assert.NotEqual(0, _arrays.InUse);
        harness.Time.Advance(s_minute);

        Assert.Equal(0, _arrays.InUse);
    }
}
