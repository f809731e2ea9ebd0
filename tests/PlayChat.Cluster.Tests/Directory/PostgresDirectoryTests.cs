using PlayChat.Cluster.Postgres;
using PlayChat.Core.Cluster;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, each test in a schema of its own.</summary>
public sealed class PostgresDirectoryTests : DirectoryContract
{
    private PostgresSpace? _space;

    private PostgresSpace Space => _space ?? throw new InvalidOperationException("There is no database yet.");

    public override async ValueTask InitializeAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        _space = await PostgresSpace.CreateAsync();
        await base.InitializeAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (_space is not null)
        {
            await _space.DisposeAsync();
        }
    }

    [Fact]
    public async Task Nodes_that_start_at_once_make_the_tables_once()
    {
        IClusterDirectory[] nodes = [.. Enumerable.Range(0, 5).Select(_ => Create())];

        await Task.WhenAll(nodes.Select(static (node, i) => node.RegisterAsync(i + 1, $"tcp://node{i}")));

        Assert.Equal(5, (await nodes[0].GetNodesAsync(TestContext.Current.CancellationToken)).Count);
        Assert.Equal(1L, await Space.ExecuteAsync("SELECT count(*) FROM pc_cluster_version"));
        foreach (IClusterDirectory node in nodes)
        {
            await node.DisposeAsync();
        }
    }

    [Fact]
    public async Task Tables_of_a_newer_version_are_refused()
    {
        await using IClusterDirectory directory = Create();
        await directory.GetNodesAsync(TestContext.Current.CancellationToken);
        await Space.ExecuteAsync("UPDATE pc_cluster_version SET version = version + 1");

        await using IClusterDirectory other = Create();
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(
            () => other.GetNodesAsync(TestContext.Current.CancellationToken));

        Assert.Contains("newer program", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no connection string")]
    [InlineData("Database=playchat")]
    public void An_invalid_connection_string_is_refused(string text) =>
        Assert.Throws<ArgumentException>(() => new PostgresDirectory(new PostgresDirectoryOptions { ConnectionString = text }));

    protected override IClusterDirectory Create() =>
        new PostgresDirectory(new PostgresDirectoryOptions { ConnectionString = Space.ConnectionString });

    // The database's clock cannot be set, so the lease is.
    protected override async Task PassLeaseAsync(params DirectoryNode[] survivors)
    {
        string living = string.Join(',', survivors.Select(static node => node.Origin.Incarnation).Append(0));
        await Space.ExecuteAsync(
            $"UPDATE pc_node SET lease_until = clock_timestamp() WHERE incarnation NOT IN ({living}); "
                + "UPDATE pc_lost SET retry_at = clock_timestamp()");
    }
}
