using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.Tests.Directory;

public sealed class LocalDirectoryTests : DirectoryContract
{
    private static readonly TimeSpan s_lease = TimeSpan.FromSeconds(10);

    private readonly ManualTimeProvider _time = new();
    private readonly LocalDirectoryStore _store;

    public LocalDirectoryTests() => _store = new LocalDirectoryStore(s_lease, _time);

    [Fact]
    public async Task A_directory_without_a_store_is_a_cluster_of_one_whose_lease_never_ends()
    {
        await using var directory = new LocalDirectory();

        NodeLease lease = await directory.RegisterAsync(1, "tcp://here", TestContext.Current.CancellationToken);

        Assert.Equal(Timeout.InfiniteTimeSpan, lease.Duration);
        Assert.True(await directory.RenewAsync(TestContext.Current.CancellationToken));
    }

    protected override IClusterDirectory Create() => new LocalDirectory(_store, Version);

    protected override async Task PassLeaseAsync(params DirectoryNode[] survivors)
    {
        for (int half = 0; half < 2; half++)
        {
            await PassAsync(s_lease / 2, survivors);
        }
    }

    protected override Task PassHalfLeaseAsync(params DirectoryNode[] survivors) => PassAsync(s_lease / 2, survivors);

    private async Task PassAsync(TimeSpan time, DirectoryNode[] survivors)
    {
        _time.Advance(time);
        foreach (DirectoryNode node in survivors)
        {
            Assert.True(await node.Directory.RenewAsync(TestContext.Current.CancellationToken));
        }
    }
}
