namespace PlayChat.Testing.Tests;

public sealed class CountingPoolTests
{
    [Fact]
    public async Task What_was_not_returned_is_found()
    {
        var pool = new CountingPool();
        byte[] kept = pool.Rent(100);
        byte[] lost = pool.Rent(37);

        pool.Return(kept);
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => pool.VerifyAsync(TimeSpan.Zero));

        Assert.Equal((2, 1), (pool.Rents, pool.InUse));
        Assert.Contains("1 of 2 arrays were not returned; their bytes: 37", e.Message, StringComparison.Ordinal);
        pool.Return(lost);
        await pool.VerifyAsync(TimeSpan.Zero);
    }

    [Fact]
    public async Task A_check_waits_for_what_is_about_to_be_returned()
    {
        var pool = new CountingPool();
        byte[] array = pool.Rent(1);

        Task verifying = pool.VerifyAsync(TestTimeouts.Hang);
        Assert.False(verifying.IsCompleted);
        pool.Return(array);

        await verifying;
    }

    [Fact]
    public void A_second_return_and_another_pool_s_array_are_refused()
    {
        var pool = new CountingPool();
        byte[] array = pool.Rent(1);
        pool.Return(array);

        Assert.Throws<InvalidOperationException>(() => pool.Return(array));
        Assert.Throws<InvalidOperationException>(() => pool.Return(new byte[1]));
    }

    [Fact]
    public void What_came_back_is_spoiled()
    {
        var pool = new CountingPool();
        byte[] array = pool.Rent(3);

        pool.Return(array);

        Assert.Equal([CountingPool.Poison, CountingPool.Poison, CountingPool.Poison], array);
    }
}
