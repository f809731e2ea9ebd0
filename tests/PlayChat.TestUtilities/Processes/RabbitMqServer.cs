using System.Diagnostics;
using System.Globalization;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A RabbitMQ broker of a test's own, which it may kill and start; gone with the test.</summary>
/// <remarks>Linux with Debian's package rabbitmq-server. Brokers that were joined share the first one's name service and cookie.</remarks>
public sealed class RabbitMqServer : IAsyncDisposable
{
    /// <summary>Why a test is skipped where <see cref="IsAvailable"/> is false.</summary>
    public const string SkipReason = "rabbitmq-server is not installed";

    private const string Programs = "/usr/lib/rabbitmq/bin";

    private readonly RabbitMqServer? _first; // of the cluster; null for the first one itself
    private readonly string _directory = ChildProcess.NewFolder("rabbitmq");
    private readonly ReservedPort[] _ports = [.. Enumerable.Range(0, 5).Select(static _ => new ReservedPort())];
    private readonly int _port;
    private readonly string _name;
    private readonly Dictionary<string, string> _environment;
    private readonly Process? _names; // of the first one: maps names of Erlang nodes to ports, for these brokers and their tool only
    private Process? _broker;
    private Task? _output;

    private RabbitMqServer(RabbitMqServer? first, TestCertificateChain? certificate)
    {
        System.IO.Directory.CreateDirectory(_directory);
        int[] ports = [.. _ports.Select(static port => port.Number)];
        _first = first;
        _port = ports[0];
        _name = $"playchat{Text(_port)}@localhost";
        string namesPort = first?._environment["ERL_EPMD_PORT"] ?? Text(ports[3]);
        string configuration = Path.Combine(_directory, "rabbitmq.conf");
        string plugins = Path.Combine(_directory, "enabled_plugins");
        File.WriteAllLines(
            configuration,
            [
                "vm_memory_high_watermark.absolute = 1GB",
                "disk_free_limit.absolute = 100MB",
                "log.file.level = warning",
                .. first is null ? [] : (string[])
                [
                    "cluster_formation.peer_discovery_backend = classic_config",
                    $"cluster_formation.classic_config.nodes.1 = {first._name}",
                    $"cluster_formation.classic_config.nodes.2 = {_name}",
                ],
                .. certificate is null ? [] : TlsSettings(certificate, ports[4]),
            ]);
        File.WriteAllText(plugins, "[].");
        _environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["HOME"] = first?._directory ?? _directory, // with the cookie
            ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
            ["ERL_EPMD_PORT"] = namesPort,
            ["RABBITMQ_NODENAME"] = _name,
            ["RABBITMQ_NODE_IP_ADDRESS"] = "127.0.0.1",
            ["RABBITMQ_NODE_PORT"] = Text(_port),
            ["RABBITMQ_DIST_PORT"] = Text(ports[1]),
            ["RABBITMQ_CTL_DIST_PORT_MIN"] = Text(ports[2]),
            ["RABBITMQ_CTL_DIST_PORT_MAX"] = Text(ports[2]),
            ["RABBITMQ_MNESIA_BASE"] = Path.Combine(_directory, "data"),
            ["RABBITMQ_LOG_BASE"] = Path.Combine(_directory, "log"),
            ["RABBITMQ_PID_FILE"] = PidFile,
            ["RABBITMQ_CONFIG_FILE"] = configuration,
            ["RABBITMQ_ENABLED_PLUGINS_FILE"] = plugins,
            ["RABBITMQ_CONF_ENV_FILE"] = "/dev/null",
            ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "-kernel inet_dist_use_interface {127,0,0,1}",
        };
        TlsEndpoint = certificate is null ? "" : FormattableString.Invariant($"127.0.0.1:{ports[4]}");
        _names = first is null ? Start("epmd", ["-address", "127.0.0.1", "-port", namesPort]) : null;
    }

    /// <summary>Whether RabbitMQ is installed.</summary>
    public static bool IsAvailable => File.Exists(Path.Combine(Programs, "rabbitmq-server"));

    /// <summary>Where it listens, without TLS.</summary>
    public string Endpoint => FormattableString.Invariant($"127.0.0.1:{_port}");

    /// <summary>Where it listens with TLS; empty when it does not.</summary>
    public string TlsEndpoint { get; }

    private int ProcessId => int.Parse(File.ReadAllText(PidFile), CultureInfo.InvariantCulture);

    private string PidFile => Path.Combine(_directory, "pid");

    /// <summary>Makes a broker and starts it.</summary>
    /// <param name="certificate">What it shows at a second port, for connections with TLS; <see langword="null"/> for none.</param>
    public static Task<RabbitMqServer> StartNewAsync(TestCertificateChain? certificate = null) => StartNewAsync(first: null, certificate);

    /// <summary>Makes a broker and starts it; it joins the cluster of this one, which is the first broker of the cluster.</summary>
    public Task<RabbitMqServer> StartJoinedAsync() => StartNewAsync(this, certificate: null);

    /// <summary>Starts it, with the data it has.</summary>
    public async Task StartAsync()
    {
        File.Delete(PidFile);
        _broker = Start(Path.Combine(Programs, "rabbitmq-server"), []);
        while (true)
        {
            string? line = await _broker.StandardOutput.ReadLineAsync().WaitAsync(TestTimeouts.Hang)
                ?? throw new InvalidOperationException($"The broker ended; its log is in {_directory}.");
            if (line.Contains("completed with", StringComparison.Ordinal))
            {
                _output = _broker.StandardOutput.ReadToEndAsync(); // so that the pipe does not fill
                return;
            }
        }
    }

    /// <summary>Stops all its threads, until <see cref="Thaw"/>.</summary>
    public void Freeze() => PosixSignals.Stop(ProcessId);

    /// <summary>Lets its threads run.</summary>
    public void Thaw() => PosixSignals.Continue(ProcessId);

    /// <summary>Kills it, as a crash would.</summary>
    public async Task KillAsync()
    {
        using Process machine = Process.GetProcessById(ProcessId);
        machine.Kill();
        await _broker!.WaitForExitAsync().WaitAsync(TestTimeouts.Hang); // the script that waits for it
        await _output!.WaitAsync(TestTimeouts.Hang);
        _broker.Dispose();
        _broker = null;
    }

    /// <summary>
    /// Waits until the broker, which is alone and has a stream, has written down that it coordinates streams. It does so half a second
    /// after the first stream was made. A broker that is killed before answers 404 for its streams ever after.
    /// </summary>
    public Task WaitForCoordinatorAsync()
    {
        string names = Path.Combine(_directory, "data", _name, "coordination", _name, "names.dets");
        byte[] coordinator = "rabbit_stream_coordinator"u8.ToArray();
        return Eventually.TrueAsync(() => File.Exists(names) && File.ReadAllBytes(names).AsSpan().IndexOf(coordinator) >= 0);
    }

    /// <summary>Closes the connections of all clients.</summary>
    public Task CloseConnectionsAsync() => RunToolAsync("close_all_connections", "test");

    /// <summary>Whether this broker leads a stream of the cluster.</summary>
    public async Task<bool> IsLeaderOfAsync(string stream)
    {
        string queues = await RunToolAsync("list_queues", "--no-table-headers", "name", "leader");
        return queues.Split('\n').Any(line => line.Trim() == $"{stream}\t{_name}");
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_broker is not null)
        {
            _broker.Kill(entireProcessTree: true); // also one that does not start
            await _broker.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
            _broker.Dispose();
        }

        if (_names is not null)
        {
            _names.Kill();
            await _names.WaitForExitAsync();
            _names.Dispose();
        }

        Array.ForEach(_ports, static port => port.Dispose());
        System.IO.Directory.Delete(_directory, recursive: true);
    }

    private static async Task<RabbitMqServer> StartNewAsync(RabbitMqServer? first, TestCertificateChain? certificate)
    {
        var server = new RabbitMqServer(first, certificate);
        try
        {
            await server.StartAsync();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private string[] TlsSettings(TestCertificateChain certificate, int port)
    {
        string file = Path.Combine(_directory, "broker.pem");
        File.WriteAllText(file, certificate.ExportPem());
        return
        [
            $"listeners.ssl.1 = 127.0.0.1:{Text(port)}",
            $"ssl_options.cacertfile = {file}",
            $"ssl_options.certfile = {file}",
            $"ssl_options.keyfile = {file}",
            "ssl_options.verify = verify_none",
            "ssl_options.fail_if_no_peer_cert = false",
        ];
    }

    /// <returns>What it printed.</returns>
    private async Task<string> RunToolAsync(params string[] arguments)
    {
        using Process tool = Start(Path.Combine(Programs, "rabbitmqctl"), ["-q", .. arguments]);
        string output = await tool.StandardOutput.ReadToEndAsync().WaitAsync(TestTimeouts.Hang);
        await tool.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        return tool.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"rabbitmqctl {string.Join(' ', arguments)} failed: {output}");
    }

    private Process Start(string program, string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            WorkingDirectory = _directory,
            RedirectStandardOutput = true,
        };
        foreach ((string name, string value) in _environment)
        {
            start.Environment[name] = value;
        }

        return ChildProcess.Start(start);
    }
}
