using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes as processes of their own, with a PostgreSQL server of their own, and a broker if they need one.</summary>
internal sealed class ProcessCluster : IAsyncDisposable
{
    private readonly List<ServerProcess> _nodes = [];
    private readonly TemporaryDirectory _secrets = new();
    private readonly List<RabbitMqServer> _brokers = [];

    private ProcessCluster(PostgresServer postgres) => Postgres = postgres;

    public PostgresServer Postgres { get; }

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
        StartAsync(log, nodes, maxConnections: null, options);

    /// <summary>Starts the nodes and what they need; skips the test where that is not installed.</summary>
    /// <param name="log">What keeps the log.</param>
    /// <param name="nodes">How many.</param>
    /// <param name="maxConnections">How many connections the database accepts; its default without it.</param>
    /// <param name="options">The nodes' options.</param>
    public static Task<ProcessCluster> StartAsync(ClusterLog log, int nodes, int? maxConnections, string[] options) =>
        StartAsync(log == ClusterLog.RabbitMq ? 1 : 0, nodes, maxConnections, options);

    /// <summary>Starts the nodes and what they need; skips the test where that is not installed.</summary>
    /// <param name="brokers">How many brokers keep the log.</param>
    /// <param name="nodes">How many. Each prefers another broker.</param>
    /// <param name="options">The nodes' options.</param>
    public static Task<ProcessCluster> StartWithBrokersAsync(int brokers, int nodes, params string[] options) =>
        StartAsync(brokers, nodes, maxConnections: null, options);

    /// <summary>A port of the loopback that is free now.</summary>
    public static int FindFreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    /// <summary>Starts one more node.</summary>
    /// <param name="options">Its options.</param>
    public Task AddAsync(params string[] options) => AddAtAsync(FindFreePort(), options);

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

        foreach (RabbitMqServer broker in Enumerable.Reverse(_brokers)) // the first one has what the others need
        {
            await broker.DisposeAsync();
        }

        await Postgres.DisposeAsync();
        _secrets.Dispose();
    }

    private static async Task<ProcessCluster> StartAsync(int brokers, int nodes, int? maxConnections, string[] options)
    {
        Assert.SkipUnless(brokers == 0 || RabbitMqServer.IsAvailable, RabbitMqServer.SkipReason);
        var cluster = new ProcessCluster(await PostgresServer.StartNewAsync(maxConnections));
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

    private Task<ServerProcess> StartNodeAsync(int number, int port, string[] options)
    {
        string text = port.ToString(CultureInfo.InvariantCulture);
        return ServerProcess.StartAsync(
        [
            $"--Cluster:NodeId={number.ToString(CultureInfo.InvariantCulture)}",
            "--port",
            text,
            $"--Cluster:AdvertisedEndpoint=127.0.0.1:{text}",
            .. LogOptions(number),
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString={Postgres.ConnectionString}",
            .. options,
        ]);
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
