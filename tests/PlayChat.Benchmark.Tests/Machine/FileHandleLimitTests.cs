namespace PlayChat.Benchmark.Tests.Machine;

public sealed class FileHandleLimitTests
{
    [Fact]
    public void Too_few_file_handles_are_said_with_the_command_that_raises_the_limit()
    {
        UsageException refusal = Assert.Throws<UsageException>(() => FileHandleLimit.Check(1000, limit: 1024));

        Assert.Contains("'ulimit -n 1200'", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1200L)]
    [InlineData(null)]
    public void Enough_or_unlimited_file_handles_are_fine(long? limit) => FileHandleLimit.Check(1000, limit);
}
