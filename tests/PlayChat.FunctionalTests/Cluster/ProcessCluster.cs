using System.Globalization;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes as processes of their own, with a database of their own, and a broker of their own if they need one.</summary>
internal sealed class ProcessCluster : IAsyncDisposable
{
    private readonly List<ServerProcess> _nodes = [];
    private readonly TemporaryDirectory _secrets = new();
    private readonly List<RabbitMqServer> _brokers = [];
    private readonly List<ReservedPort> _ports = [];
    private readonly PostgresServer? _postgres;
    private readonly string _connectionString;

    private ProcessCluster(PostgresServer? postgres, string connectionString)
    {
        _postgres = postgres;
        _connectionString = connectionString;
    }

    /// <summary>The database's server, if it has one of its own.</summary>
    public PostgresServer Postgres => _postgres ?? throw new InvalidOperationException("Other tests use the same database server.");

    /// <summary>How to reach the nodes' database.</summary>
    public string ConnectionString => _postgres?.ConnectionString ?? _connectionString;

    /// <summary>The only broker, of a cluster whose log it keeps.</summary>
    public RabbitMqServer Broker => _brokers.Single();

    /// <summary>All brokers, which keep the log.</summary>
    public IReadOnlyList<RabbitMqServer> Brokers => _brokers;

    public IReadOnlyList<ServerProcess> Nodes => _nodes;

    public int[] Ports => [.. _nodes.Select(static node => node.Port)];

    /// <summary>Starts the nodes and what they need; skips the test where that is not installed.</summary>
    /// <param name="log">What keeps the log.</param>
    /// <param name="nodes">How many.</param>
    /// <param name="options">The nodes' options.</param>
    public static Task<ProcessCluster> StartAsync(ClusterLog log, int nodes, params string[] options) =>
        StartSharedAsync(BrokersOf(log), nodes, options);

    /// <summary>Starts the nodes with a database server that the test may stop; skips the test where something is not installed.</summary>
    /// <param name="log">What keeps the log.</param>
    /// <param name="nodes">How many.</param>
    /// <param name="options">The nodes' options.</param>
    public static Task<ProcessCluster> StartWithDatabaseAsync(ClusterLog log, int nodes, params string[] options) =>
        StartWithDatabaseAsync(log, nodes, maxConnections: null, options);

    /// <summary>Starts the nodes with a database server that the test may stop; skips the test where something is not installed.</summary>
    /// <param name="log">What keeps the log.</param>
    /// <param name="nodes">How many.</param>
    /// <param name="maxConnections">How many connections the database accepts; its default without it.</param>
    /// <param name="options">The nodes' options.</param>
    public static async Task<ProcessCluster> StartWithDatabaseAsync(ClusterLog log, int nodes, int? maxConnections, string[] options)
    {
        SkipWithout(BrokersOf(log));
        return await StartAsync(
            new ProcessCluster(await PostgresServer.StartNewAsync(maxConnections), ""), BrokersOf(log), nodes, options);
    }

    /// <summary>Starts the nodes and what they need; skips the test where that is not installed.</summary>
    /// <param name="brokers">How many brokers keep the log.</param>
    /// <param name="nodes">How many. Each prefers another broker.</param>
    /// <param name="options">The nodes' options.</param>
    public static Task<ProcessCluster> StartWithBrokersAsync(int brokers, int nodes, params string[] options) =>
        StartSharedAsync(brokers, nodes, options);

    /// <summary>Reserves a port for a node that is added later.</summary>
    public int ReservePort()
    {
        _ports.Add(new ReservedPort());
        return _ports[^1].Number;
    }

    /// <summary>Starts one more node.</summary>
    /// <param name="options">Its options.</param>
    public Task AddAsync(params string[] options) => AddAtAsync(ReservePort(), options);

    /// <summary>Starts one more node, of another build.</summary>
    /// <param name="server">Its server.</param>
    /// <param name="options">Its options.</param>
    public async Task AddBuildAsync(string server, params string[] options) =>
        _nodes.Add(await ServerProcess.StartBuildAsync(server, OptionsOf(_nodes.Count + 1, ReservePort(), options)));

    /// <summary>Starts one more node.</summary>
    /// <param name="port">Where it listens. Known before the start, because the node names it to the others.</param>
    /// <param name="options">Its options.</param>
    public async Task AddAtAsync(int port, params string[] options) =>
        _nodes.Add(await StartNodeAsync(_nodes.Count + 1, port, options));

    /// <summary>Starts a node that was killed again, with its number and its port.</summary>
    /// <param name="index">Which of <see cref="Nodes"/>.</param>
    /// <param name="options">Its options.</param>
    public async Task RestartAsync(int index, params string[] options)
    {
        int port = _nodes[index].Port;
        await _nodes[index].Program.WaitForExitAsync();
        await _nodes[index].DisposeAsync();
        _nodes[index] = await StartNodeAsync(index + 1, port, options);
    }

    /// <summary>Opens the nodes' database.</summary>
    public async Task<IChatStore> OpenStoreAsync()
    {
        var store = new PostgresChatStore(ConnectionString);
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

        foreach (RabbitMqServer broker in Enumerable.Reverse(_brokers)) // the first one has what the others need
        {
            await broker.DisposeAsync();
        }

        if (_postgres is not null)
        {
            await _postgres.DisposeAsync();
        }

        _ports.ForEach(static port => port.Dispose());
        _secrets.Dispose();
    }

    private static int BrokersOf(ClusterLog log) => log == ClusterLog.RabbitMq ? 1 : 0;

    private static void SkipWithout(int brokers) =>
        Assert.SkipUnless(brokers == 0 || RabbitMqServer.IsAvailable, RabbitMqServer.SkipReason);

    private static async Task<ProcessCluster> StartSharedAsync(int brokers, int nodes, string[] options)
    {
        SkipWithout(brokers);
        SharedPostgres shared = await TestContext.Current.GetFixture<SharedPostgres>()
            ?? throw new InvalidOperationException("Only a test can start a cluster.");
        return await StartAsync(new ProcessCluster(null, await shared.CreateDatabaseAsync()), brokers, nodes, options);
    }

    private static async Task<ProcessCluster> StartAsync(ProcessCluster cluster, int brokers, int nodes, string[] options)
    {
        try
        {
            await File.WriteAllTextAsync(cluster._secrets.Combine("password"), "guest\n");
            for (int i = 0; i < brokers; i++)
            {
                cluster._brokers.Add(
                    i == 0 ? await RabbitMqServer.StartNewAsync() : await cluster._brokers[0].StartJoinedAsync());
            }

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

    private Task<ServerProcess> StartNodeAsync(int number, int port, string[] options) =>
        ServerProcess.StartAsync(OptionsOf(number, port, options));

    private string[] OptionsOf(int number, int port, string[] options)
    {
        string text = port.ToString(CultureInfo.InvariantCulture);
        return
        [
            $"--Cluster:NodeId={number.ToString(CultureInfo.InvariantCulture)}",
            "--port",
            text,
            $"--Cluster:AdvertisedEndpoint=127.0.0.1:{text}",
            .. LogOptions(number),
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString={ConnectionString}",
            .. options,
        ];
    }

    private string[] LogOptions(int number) => _brokers.Count == 0
        ? ["--Cluster:Engine=Postgres"]
        :
        [
            "--Cluster:Engine=RabbitMq",
            "--RabbitMq:Endpoints="
                + string.Join(',', _brokers.Select((_, turn) => _brokers[(number + turn) % _brokers.Count].Endpoint)),
            "--RabbitMq:Password=another",
            $"--RabbitMq:PasswordFile={_secrets.Combine("password")}",
        ];
}
