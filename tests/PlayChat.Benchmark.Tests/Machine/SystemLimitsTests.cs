namespace PlayChat.Benchmark.Tests.Machine;

public sealed class SystemLimitsTests
{
    [Fact]
    public void Too_few_local_ports_are_said_with_the_command_that_widens_the_range()
    {
        UsageException refusal = Assert.Throws<UsageException>(() => PortRange.Check(30_000, (32_768, 60_999)));

        Assert.Contains("has 28232", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("'sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"'", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void More_connections_than_there_are_ports_at_all_are_said() =>
        Assert.Contains(
            "at most 64512",
            Assert.Throws<UsageException>(() => PortRange.Check(70_000, (1024, 65_535))).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Enough_ports_or_an_unknown_range_are_fine()
    {
        PortRange.Check(28_232, (32_768, 60_999));
        PortRange.Check(1_000_000, range: null);
    }

    [Fact]
    public void More_connects_at_once_than_may_wait_are_said_with_the_command_that_raises_the_limit() =>
        Assert.Contains(
            "'sysctl -w net.core.somaxconn=256'",
            Assert.Throws<UsageException>(() => Backlog.Check(256, limit: 128)).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData(256)]
    [InlineData(null)]
    public void Enough_or_an_unknown_backlog_is_fine(int? limit) => Backlog.Check(256, limit);
}
