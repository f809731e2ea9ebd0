namespace PlayChat.Benchmark.Servers;

/// <summary>Nodes of a cluster on this machine, each a process, with a database and a broker of their own. All end with it.</summary>
internal sealed class ClusterProcesses : IAsyncDisposable
{
    private readonly ClusterSettings _settings;
    private readonly LocalTool _postgres;
    private readonly LocalTool _rabbitMq;
    private readonly string _postgresFolder;
    private readonly string _rabbitMqFolder;
    private readonly List<ServerProcess> _nodes = [];

    private ClusterProcesses(ClusterSettings settings, string? cores)
    {
        _settings = settings;
        _postgres = new LocalTool(LocalTool.Postgres, cores);
        _rabbitMq = new LocalTool(LocalTool.RabbitMq, cores);
        // The tools make these folders. PostgreSQL's is of another user when this one is root, so it is in no folder of ours.
        string name = Path.Combine(Path.GetTempPath(), $"playchat-bench-{Guid.NewGuid():N}");
        _postgresFolder = name + "-postgres";
        _rabbitMqFolder = name + "-rabbitmq";
    }

    public IReadOnlyList<ServerAddress> Addresses => [.. _nodes.Select(static node => node.Address)];

    /// <summary>Starts the database, the broker if the engine needs one, and then one node after the other.</summary>
    /// <param name="server">The options of every node. They win over those that make it a node.</param>
    /// <exception cref="RunFailedException">Something does not start.</exception>
    public static async Task<ClusterProcesses> StartAsync(
        string dll, ServerSettings server, ClusterSettings settings, CancellationToken cancellationToken)
    {
        var cluster = new ClusterProcesses(settings, server.Cores);
        try
        {
            string database = await cluster._postgres.RunAsync("start", "--dir", cluster._postgresFolder);
            cancellationToken.ThrowIfCancellationRequested();
            string? broker = settings.HasBroker ? await cluster._rabbitMq.RunAsync("start", "--dir", cluster._rabbitMqFolder) : null;
            for (int number = 1; number <= Math.Max(1, settings.Nodes); number++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                ServerSettings node = cluster.Node(number, server, broker) with { ConnectionString = database };
                cluster._nodes.Add(await ServerProcess.StartAsync(dll, node, cancellationToken));
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    public ClusterWatch Watch() => new(
        _settings,
        _nodes.Select(static node => new KpiFile(node.KpiPath)).ToArray(),
        FirstNumber(Path.Combine(_postgresFolder, "data", "postmaster.pid")),
        _settings.HasBroker ? FirstNumber(Path.Combine(_rabbitMqFolder, "pid")) : null);

    /// <summary>Asks all nodes to stop, and waits until they have.</summary>
    /// <exception cref="RunFailedException">A node failed while stopping, or did not stop in time.</exception>
    public Task StopAsync() => Task.WhenAll(_nodes.Select(static node => node.StopAsync()));

    /// <summary>Kills the nodes that still run, and removes the broker and the database with their data.</summary>
    public async ValueTask DisposeAsync()
    {
        // When one of them does not end, the others are ended all the same.
        await using (new Removal(_postgres, _postgresFolder))
        await using (_settings.HasBroker ? new Removal(_rabbitMq, _rabbitMqFolder) : null)
        {
            foreach (ServerProcess node in _nodes)
            {
                await node.DisposeAsync();
            }
        }
    }

    private ServerSettings Node(int number, ServerSettings server, string? broker)
    {
        int port = ServerAddress.FindFreePort(); // known before the start, because the node names its address to the others
        string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}");
        (string Key, string Value)[] node = _settings.Nodes == 0 ? [] :
        [
            ("Cluster:NodeId", number.ToString(CultureInfo.InvariantCulture)),
            ("Cluster:AdvertisedEndpoint", address),
            ("Cluster:Engine", _settings.Engine.ToString()),
        ];
        return server with
        {
            Port = port,
            Keys =
            [
                ("Storage:Provider", "Postgres"),
                ("Web:Enabled", "false"), // its port is the same for all
                .. node,
                .. broker is null ? Array.Empty<(string, string)>() : [("RabbitMq:Endpoints", broker)],
                .. server.Keys,
            ],
        };
    }

    private static int FirstNumber(string path) => int.Parse(File.ReadLines(path).First(), CultureInfo.InvariantCulture);

    private sealed class Removal(LocalTool tool, string folder) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync() => await tool.RunAsync("remove", "--dir", folder);
    }
}
