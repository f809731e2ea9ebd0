using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Several nodes in this process, which share one log, one directory and one database.</summary>
internal sealed class TestCluster : IAsyncDisposable
{
    private readonly TemporaryDirectory _files = new();
    private readonly LocalDirectoryStore _store;
    private readonly List<TestServer> _nodes = [];
    private readonly List<SwitchedDirectory> _directories = [];

    private TestCluster(TimeSpan lease, int shards)
    {
        _store = new LocalDirectoryStore(lease);
        Log = new LocalLog(shards);
    }

    public LocalLog Log { get; }

    public TestServer this[int index] => _nodes[index];

    public static Task<TestCluster> StartAsync(int nodes, params string[] args) => StartAsync(nodes, TimeSpan.FromSeconds(30), args);

    public static async Task<TestCluster> StartAsync(int nodes, TimeSpan lease, params string[] args)
    {
        var cluster = new TestCluster(lease, shards: args.Contains("--Cluster:Shards=1", StringComparer.Ordinal) ? 1 : 4);
        for (int i = 0; i < nodes; i++)
        {
            await cluster.AddAsync(args);
        }

        return cluster;
    }

    /// <summary>What a node knows of the directory; the test can take it away.</summary>
    public SwitchedDirectory DirectoryOf(int index) => _directories[index];

    /// <summary>Takes directory and log away from the only node, and ends its life, as it would itself at the end of its lease.</summary>
    public async Task FenceAsync()
    {
        Log.IsAvailable = false;
        DirectoryOf(0).IsAway = true;
        this[0].Get<ClusterNode>().Life!.Node.Fence("the test does not wait for the end of the lease");
        await Eventually.TrueAsync(() => this[0].Get<ClusterNode>().Life is null);
    }

    /// <summary>Waits until no node has a lease.</summary>
    public async Task WaitForEndOfLeasesAsync()
    {
        await using var directory = new LocalDirectory(_store);
        await Eventually.GetAsync(() => directory.GetNodesAsync(), static nodes => nodes.Count == 0);
    }

    /// <summary>Gives the node both back.</summary>
    public void Heal()
    {
        Log.IsAvailable = true;
        DirectoryOf(0).IsAway = false;
    }

    /// <summary>Adds the next node.</summary>
    public Task<TestServer> AddAsync(params string[] args) => StartNodeAsync(_nodes.Count + 1, args);

    /// <summary>Ends a node so that the others learn nothing of it, as if it were killed.</summary>
    public async Task KillAsync(int index)
    {
        DirectoryOf(index).IsAway = true;
        await this[index].StopAsync();
    }

    /// <summary>Starts a node, for example one that was killed, as another server process.</summary>
    /// <param name="nodeId">Its number.</param>
    /// <param name="args">As on the command line.</param>
    public Task<TestServer> StartNodeAsync(int nodeId, params string[] args) => StartNodeAsync(TestServer.StartInAsync, nodeId, args);

    /// <summary>Starts a node that listens at a port, which other servers can find in use.</summary>
    /// <inheritdoc cref="StartNodeAsync(int, string[])"/>
    public Task<TestServer> StartNodeOnSocketsAsync(int nodeId, params string[] args) =>
        StartNodeAsync(TestServer.StartOnSocketsInAsync, nodeId, args);

    private async Task<TestServer> StartNodeAsync(
        Func<string, Action<IServiceCollection>, string[], Task<TestServer>> start, int nodeId, string[] args)
    {
        string[] own =
        [
            $"--Cluster:NodeId={nodeId}",
            "--Cluster:Shards=4",
            "--ChatLog:SpillFile=",
            "--ChatLog:Directory=",
            "--Cluster:SweepInterval=00:00:00.200",
            "--Sessions:ReturnWithin=00:00:00", // a node that stops would wait for clients that do not return
            $"--Cluster:AdvertisedEndpoint=node{nodeId}:7777",
            .. args,
        ];
        TestServer node = await start(
            _files.Path, services => services.AddSingleton<IClusterEngine>(provider => new Engine(this, provider)), own);
        _nodes.Add(node);
        return node;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (TestServer node in _nodes)
        {
            await node.DisposeAsync();
        }

        _files.Dispose();
    }

    private sealed class Engine(TestCluster cluster, IServiceProvider provider) : IClusterEngine
    {
        public IClusterDirectory CreateDirectory()
        {
            var directory = new SwitchedDirectory(new LocalDirectory(cluster._store));
            cluster._directories.Add(directory);
            return directory;
        }

        public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) => new LocalBackplane(
            cluster.Log, origin, loggers: provider.GetRequiredService<ILoggerFactory>(), meters: meters);
    }
}
