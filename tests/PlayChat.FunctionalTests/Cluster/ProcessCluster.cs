using System.Globalization;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes as processes of their own, with a PostgreSQL server of their own.</summary>
internal sealed class ProcessCluster : IAsyncDisposable
{
    private readonly List<ServerProcess> _nodes = [];

    private ProcessCluster(PostgresServer postgres) => Postgres = postgres;

    public PostgresServer Postgres { get; }

    public IReadOnlyList<ServerProcess> Nodes => _nodes;

    public int[] Ports => [.. _nodes.Select(static node => node.Port)];

    /// <param name="nodes">How many.</param>
    /// <param name="options">The nodes' options.</param>
    public static async Task<ProcessCluster> StartAsync(int nodes, params string[] options)
    {
        var cluster = new ProcessCluster(await PostgresServer.StartNewAsync());
        try
        {
            for (int i = 0; i < nodes; i++)
            {
                await cluster.AddAsync(options);
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    public async Task AddAsync(params string[] options)
    {
        string number = (_nodes.Count + 1).ToString(CultureInfo.InvariantCulture);
        _nodes.Add(await ServerProcess.StartAsync(
        [
            $"--Cluster:NodeId={number}",
            $"--Cluster:AdvertisedEndpoint=node{number}:7777",
            "--Cluster:Engine=Postgres",
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString={Postgres.ConnectionString}",
            .. options,
        ]));
    }

    /// <summary>Opens the nodes' database.</summary>
    public async Task<IChatStore> OpenStoreAsync()
    {
        var store = new PostgresChatStore(Postgres.ConnectionString);
        await store.InitializeAsync();
        return store;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (ServerProcess node in _nodes)
        {
            node.Program.Kill();
            await node.DisposeAsync();
        }

        await Postgres.DisposeAsync();
    }
}
