using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>A RabbitMQ broker of a test's own, which it may kill and start; gone with the test.</summary>
internal sealed class RabbitMqServer : IAsyncDisposable
{
    public const string SkipReason = "rabbitmq-server is not installed";

    private const string Programs = "/usr/lib/rabbitmq/bin";

    private readonly string _directory = System.IO.Directory.CreateTempSubdirectory("playchat-rabbitmq-").FullName;
    private readonly int _port;
    private readonly Dictionary<string, string> _environment;
    private readonly Process _names; // maps names of Erlang nodes to ports, for this broker and its tool only
    private Process? _broker;
    private Task? _output;

    private RabbitMqServer()
    {
        int[] ports = FindFreePorts(4);
        _port = ports[0];
        string configuration = Path.Combine(_directory, "rabbitmq.conf");
        string plugins = Path.Combine(_directory, "enabled_plugins");
        File.WriteAllText(
            configuration,
            "vm_memory_high_watermark.absolute = 1GB\ndisk_free_limit.absolute = 100MB\nlog.file.level = warning\n");
        File.WriteAllText(plugins, "[].");
        _environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["HOME"] = _directory,
            ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
            ["ERL_EPMD_PORT"] = Text(ports[1]),
            ["RABBITMQ_NODENAME"] = "playchat@localhost",
            ["RABBITMQ_NODE_IP_ADDRESS"] = "127.0.0.1",
            ["RABBITMQ_NODE_PORT"] = Text(_port),
            ["RABBITMQ_DIST_PORT"] = Text(ports[2]),
            ["RABBITMQ_CTL_DIST_PORT_MIN"] = Text(ports[3]),
            ["RABBITMQ_CTL_DIST_PORT_MAX"] = Text(ports[3]),
            ["RABBITMQ_MNESIA_BASE"] = Path.Combine(_directory, "data"),
            ["RABBITMQ_LOG_BASE"] = Path.Combine(_directory, "log"),
            ["RABBITMQ_PID_FILE"] = PidFile,
            ["RABBITMQ_CONFIG_FILE"] = configuration,
            ["RABBITMQ_ENABLED_PLUGINS_FILE"] = plugins,
            ["RABBITMQ_CONF_ENV_FILE"] = "/dev/null",
            ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "-kernel inet_dist_use_interface {127,0,0,1}",
        };
        _names = Start("epmd", ["-address", "127.0.0.1", "-port", Text(ports[1])]);
    }

    public static bool IsAvailable => File.Exists(Path.Combine(Programs, "rabbitmq-server"));

    public string Endpoint => FormattableString.Invariant($"127.0.0.1:{_port}");

    private int ProcessId => int.Parse(File.ReadAllText(PidFile), CultureInfo.InvariantCulture);

    private string PidFile => Path.Combine(_directory, "pid");

    /// <summary>Makes a broker and starts it.</summary>
    public static async Task<RabbitMqServer> StartNewAsync()
    {
        var server = new RabbitMqServer();
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
    /// Makes a stream, and waits until the broker has written down that it coordinates streams, which it does half a second later. A broker
    /// that is killed before answers 404 for its streams ever after.
    /// </summary>
    public async Task PrepareStreamsAsync()
    {
        await using IConnection connection = await ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { ["x-queue-type"] = "stream" };
        await channel.QueueDeclareAsync("first", durable: true, exclusive: false, autoDelete: false, arguments);
        string names = Path.Combine(_directory, "data", "playchat@localhost", "coordination", "playchat@localhost", "names.dets");
        byte[] coordinator = "rabbit_stream_coordinator"u8.ToArray();
        await Eventually.TrueAsync(() => File.Exists(names) && File.ReadAllBytes(names).AsSpan().IndexOf(coordinator) >= 0);
    }

    /// <summary>Closes the connections of all clients.</summary>
    public async Task CloseConnectionsAsync()
    {
        using Process tool = Start(Path.Combine(Programs, "rabbitmqctl"), ["-q", "close_all_connections", "test"]);
        await tool.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, tool.ExitCode);
    }

    /// <summary>Deletes a stream.</summary>
    public async Task DeleteAsync(string stream)
    {
        await using IConnection connection = await ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(stream);
    }

    /// <summary>Sends a message as it is.</summary>
    public async Task SendAsync(string stream, byte[] bytes)
    {
        await using IConnection connection = await ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true));
        await channel.BasicPublishAsync("", stream, mandatory: true, bytes);
    }

    /// <summary>Receives the first message that a stream has.</summary>
    public async Task<byte[]> ReceiveFirstAsync(string stream)
    {
        var first = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using IConnection connection = await ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.BasicQosAsync(0, prefetchCount: 1, global: false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, message) =>
        {
            first.TrySetResult(message.Body.ToArray());
            return Task.CompletedTask;
        };
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { ["x-stream-offset"] = "first" };
        await channel.BasicConsumeAsync(stream, autoAck: false, "", noLocal: false, exclusive: false, arguments, consumer);
        return await first.Task.WaitAsync(TestTimeouts.Hang);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_broker is not null)
        {
            await KillAsync();
        }

        _names.Kill();
        await _names.WaitForExitAsync();
        _names.Dispose();
        System.IO.Directory.Delete(_directory, recursive: true);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static int[] FindFreePorts(int count)
    {
        // All at once, so that none is found twice.
        TcpListener[] listeners = Enumerable.Range(0, count).Select(static _ => new TcpListener(IPAddress.Loopback, 0)).ToArray();
        foreach (TcpListener listener in listeners)
        {
            listener.Start();
        }

        int[] ports = listeners.Select(static listener => ((IPEndPoint)listener.LocalEndpoint).Port).ToArray();
        foreach (TcpListener listener in listeners)
        {
            listener.Dispose();
        }

        return ports;
    }

    private Task<IConnection> ConnectAsync() => new ConnectionFactory { HostName = "127.0.0.1", Port = _port }.CreateConnectionAsync();

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

        return Process.Start(start)!;
    }
}
