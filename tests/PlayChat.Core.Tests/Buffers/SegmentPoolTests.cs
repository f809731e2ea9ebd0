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

    [Theory]
    [InlineData(1024, 1024)]
    [InlineData(65_536, 65_536)]
    [InlineData(65_540, 131_072)] // a body of 64 KB and its header
    [InlineData(131_073, 262_144)]
    public void A_segment_has_the_smallest_size_that_fits(int bytes, int expected)
    {
        var pool = new SegmentPool();

        Segment segment = pool.RentSegment(bytes);

        Assert.Equal(expected, segment.Array.Length);
        segment.Release();
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
    public void A_trim_gives_back_what_no_rent_has_needed_since_the_last_one()
    {
        var arrays = new CountingPool();
        var pool = new SegmentPool(arrays);
        RentAndRelease(pool, 10);
        pool.Trim();
        RentAndRelease(pool, 4);

        Segment rented = pool.RentSegment(SegmentPool.ReceiveBytes);
        TrimResult trimmed = pool.Trim();

        Assert.Equal(new TrimResult(Segments: 6, Bytes: 6 * SegmentPool.ReceiveBytes, Kept: 4), trimmed);
        Assert.Equal(4, arrays.InUse);
        rented.Release();
    }

    [Fact]
    public void A_trim_leaves_what_was_rented_since_the_last_one()
    {
        var arrays = new CountingPool();
        var pool = new SegmentPool(arrays);

        for (int burst = 0; burst < 5; burst++)
        {
            RentAndRelease(pool, 1000);
            Assert.Equal(0, pool.Trim().Segments);
        }

        Assert.Equal(1000, arrays.Rents);
    }

    [Theory]
    [InlineData(900, 256 << 20, 100, true)]
    [InlineData(900, 256 << 20, 101, false)] // the rest still works
    [InlineData(900, 1 << 20, 0, false)] // too little for a collection
    public void A_load_has_ended_when_much_memory_and_nine_tenths_of_the_pool_went(long segments, long bytes, long kept, bool hasEnded) =>
        Assert.Equal(hasEnded, new TrimResult(segments, bytes, kept).EndsLoad);

    [Fact]
    public void A_closed_pool_keeps_nothing()
    {
        var arrays = new CountingPool();
        var pool = new SegmentPool(arrays);
        Segment rented = pool.RentSegment(100);
        RentAndRelease(pool, 10);

        pool.Close();
        rented.Release();
        RentAndRelease(pool, 10);

        Assert.Equal(0, arrays.InUse);
    }

    private static void RentAndRelease(SegmentPool pool, int count)
    {
        Segment[] segments = [.. Enumerable.Range(0, count).Select(_ => pool.RentSegment(SegmentPool.ReceiveBytes))];
        Array.ForEach(segments, static segment => segment.Release());
    }
}
