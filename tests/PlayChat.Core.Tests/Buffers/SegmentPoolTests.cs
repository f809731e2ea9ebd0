using PlayChat.Core.Buffers;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Buffers;

public sealed class SegmentPoolTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(1024)]
    [InlineData(1025)]
    [InlineData(65_536)]
    [InlineData(1_000_000)]
    public void A_segment_is_at_least_as_long_as_was_asked_for(int bytes)
    {
        var pool = new CountingSegmentPool();

        Segment segment = pool.RentSegment(bytes);

        Assert.True(segment.FreeBytes >= bytes);
        segment.Release();
        pool.Verify();
    }

    [Fact]
    public void A_released_segment_is_used_again_and_counted()
    {
        var pool = new CountingSegmentPool();
        pool.RentSegment(100).Release();

        Segment again = pool.RentSegment(1000);

        Assert.Equal(new PoolStatistics(InUse: 1, Peak: 1, Rents: 2, Returns: 1, Reuses: 1), pool.Statistics);
        Assert.Equal(0, again.Written);
        Assert.Equal(CountingSegmentPool.Poison, again.Array[0]);
        again.Release();
    }

    [Fact]
    public void The_last_of_several_holders_returns_the_memory()
    {
        var pool = new CountingSegmentPool();
        Segment segment = pool.RentSegment(100);
        segment.Retain();

        segment.Release();
        Assert.Equal(1, pool.InUse);
        segment.Release();

        Assert.Equal(0, pool.InUse);
    }

    [Fact]
    public void A_double_return_and_a_late_hold_are_found()
    {
        var pool = new CountingSegmentPool();
        Segment segment = pool.RentSegment(100);
        segment.Release();

        Assert.Throws<InvalidOperationException>(segment.Retain);
        Segment other = pool.RentSegment(5000);
        other.Release();
        Assert.Throws<InvalidOperationException>(other.Release);
    }

    [Fact]
    public void A_leak_is_found()
    {
        var pool = new CountingSegmentPool();
        pool.RentSegment(1);

        Assert.Throws<InvalidOperationException>(pool.Verify);
    }

    [Fact]
    public async Task Many_threads_never_share_a_segment()
    {
        var pool = new SegmentPool();

        await Task.WhenAll(Enumerable.Range(1, 4).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < 20_000; i++)
            {
                Segment segment = pool.RentSegment(64);
                segment.Array[0] = (byte)thread;
                Thread.SpinWait(5);
                Assert.Equal(thread, segment.Array[0]);
                segment.Release();
            }
        })));

        Assert.Equal(0, pool.Statistics.InUse);
    }

    [Fact]
    public void What_lies_idle_beyond_the_bound_goes_back()
    {
        var pool = new SegmentPool();
        Segment[] segments = [.. Enumerable.Range(0, 2000).Select(_ => pool.RentSegment(65_536))];

        Array.ForEach(segments, static segment => segment.Release());
        long reuses = Enumerable.Range(0, 2000).Select(_ => pool.RentSegment(65_536)).Count();

        Assert.Equal(2000, reuses);
        Assert.InRange(pool.Statistics.Reuses, 1, 1024);
    }
}
