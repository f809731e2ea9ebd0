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
        string address = $"127.0.0.1:{port}";
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

/// <param name="Nodes">How many nodes; 0 is one server without a cluster, over the same database.</param>
internal sealed record ClusterSettings(int Nodes, ClusterEngine Engine)
{
    public const int MaxNodes = 16;

    public static ClusterEngine ParseEngine(string name) =>
        Enum.GetNames<ClusterEngine>().FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } known
            ? Enum.Parse<ClusterEngine>(known)
            : throw new UsageException($"--engine is '{name}'; allowed is {string.Join(" or ", Enum.GetNames<ClusterEngine>())}.");

    public bool HasBroker => Nodes > 0 && Engine == ClusterEngine.RabbitMq;

    public override string ToString() => Nodes switch
    {
        0 => "one server without a cluster",
        1 => $"1 node over {Engine}",
        _ => $"{Nodes} nodes over {Engine}",
    };
}

/// <summary>What keeps the log of a cluster that the benchmark starts: the server's option <c>Cluster:Engine</c>.</summary>
internal enum ClusterEngine
{
    Postgres, // a table of the nodes' database
    RabbitMq, // streams of a broker
}

/// <summary>Reads what the processes of a cluster use while a load runs. Not thread-safe.</summary>
/// <param name="brokerId">The broker's process; <see langword="null"/> without one.</param>
internal sealed class ClusterWatch(ClusterSettings settings, IReadOnlyList<KpiFile> nodes, int databaseId, int? brokerId)
{
    private readonly List<(long At, TimeSpan Database, TimeSpan Broker)> _marks = [];

    /// <summary>Call it at the start and at the end of the measurement.</summary>
    public void Mark() => _marks.Add((
        Stopwatch.GetTimestamp(),
        ProcessTree.ReadCpuTime(databaseId),
        brokerId is { } broker ? ProcessTree.ReadCpuTime(broker) : TimeSpan.Zero));

    /// <summary>The figures of the measurement, between the two marks.</summary>
    public ClusterFigures Within(DateTimeOffset from, DateTimeOffset to)
    {
        (var first, var last) = (_marks[0], _marks[^1]);
        double seconds = Stopwatch.GetElapsedTime(first.At, last.At).TotalSeconds;
        return new ClusterFigures(
            settings,
            nodes.Select(node => node.ReadNew() is null ? null : node.Within(from, to)).ToArray(),
            (last.Database - first.Database).TotalSeconds / seconds,
            brokerId is null ? null : (last.Broker - first.Broker).TotalSeconds / seconds);
    }
}

/// <summary>What a cluster used during a measurement. Processor time is in processors: 0.5 is half of one.</summary>
/// <param name="Nodes">Each node; <see langword="null"/> for one that wrote fewer than two KPI lines.</param>
/// <param name="BrokerCpu">What the broker used; <see langword="null"/> without one.</param>
internal sealed record ClusterFigures(
    ClusterSettings Settings, IReadOnlyList<ServerFigures?> Nodes, double DatabaseCpu, double? BrokerCpu)
{
    /// <summary>Adds a figure up over the nodes; <see langword="null"/> when it is not known of one.</summary>
    public double? Sum(Func<ServerFigures, double> figure) =>
        Nodes.Contains(null) ? null : Nodes.Sum(node => figure(node!));
}

/// <summary>The processor time of a process and of all processes below it, such as a database with a process for each connection.</summary>
/// <remarks>Linux only: the figures are those of <c>/proc</c>.</remarks>
internal static class ProcessTree
{
    // USER_HZ, which Linux fixes for all programs, whatever the kernel's own clock is.
    private const double TicksPerSecond = 100;

    // Fields of /proc/N/stat behind the name, which ends with the last parenthesis: man 5 proc.
    private const int Parent = 1;
    private const int UserTime = 11;
    private const int ChildrensSystemTime = 14;

    /// <summary>Adds up the time of a process, of its children that have ended, and of all that run below it.</summary>
    /// <returns>Zero when there is no such process.</returns>
    public static TimeSpan ReadCpuTime(int id)
    {
        var ticks = new Dictionary<int, long>();
        var children = new List<(int Parent, int Child)>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int process)
                && TryRead(folder) is { } fields)
            {
                ticks[process] = fields[UserTime..(ChildrensSystemTime + 1)].Sum(static field => Number(field));
                children.Add(((int)Number(fields[Parent]), process));
            }
        }

        ILookup<int, int> childrenOf = children.ToLookup(static pair => pair.Parent, static pair => pair.Child);
        long sum = 0;
        for (var open = new Stack<int>([id]); open.TryPop(out int process);)
        {
            sum += ticks.GetValueOrDefault(process);
            foreach (int child in childrenOf[process])
            {
                open.Push(child);
            }
        }

        return TimeSpan.FromSeconds(sum / TicksPerSecond);
    }

    private static string[]? TryRead(string folder)
    {
        try
        {
            string stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null; // it has ended meanwhile
        }
    }

    private static long Number(string field) => long.Parse(field, CultureInfo.InvariantCulture);
}
