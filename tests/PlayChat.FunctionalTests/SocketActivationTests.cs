using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.Core;
using PlayChat.FunctionalTests.Cluster;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;
using Activator = PlayChat.FunctionalTests.Harness.Activator;

namespace PlayChat.FunctionalTests;

/// <summary>A server that listens on a socket of its service manager.</summary>
public sealed class SocketActivationTests
{
    private const int ConnectsPerSecond = 200;
    private const string SocketActivate = "/usr/bin/systemd-socket-activate";

    private static readonly byte[] s_frame = [0, 0, 0, 2, 4, 2];

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_restart_under_200_connects_per_second_refuses_none_and_serves_each(string transport)
    {
        Assert.SkipUnless(Activator.IsSupported, Activator.SkipReason);
        using var activator = new Activator();
        string[] options = ["--mode", "echo", "--transport", transport];
        ServerProcess first = await activator.StartAsync(options);
        using var enough = new CancellationTokenSource();
        var served = new ServedClients();
        Task load = ConnectAsync(activator.Port, served, enough.Token);
        await served.WaitForAsync(ConnectsPerSecond / 2);

        // Clients that connect between the two servers wait in the socket's backlog.
        Assert.True(await first.StopAsync() == 0, first.Program.Describe());
        int between = served.Count;
        await first.DisposeAsync();
        await using ServerProcess second = await activator.StartAsync(options);
        await served.WaitForAsync(between + ConnectsPerSecond);
        await enough.CancelAsync();
        await load.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(activator.Port, second.Port);
        Assert.Equal(0, await second.StopAsync());
        Assert.Empty(second.Program.ErrorLines);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_socket_that_no_endpoint_uses_fails_the_start_and_is_named()
    {
        Assert.SkipUnless(Activator.IsSupported, Activator.SkipReason);
        using var activator = new Activator();

        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => activator.StartAsync("--port", "0"));

        Assert.Contains(
            $"has passed the socket chat (descriptor 3), which listens on 127.0.0.1:{activator.Port}, but no endpoint has that address",
            e.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_script_keeps_the_port_while_the_server_restarts_and_what_players_say_is_not_lost()
    {
        const string Python = "/usr/bin/python3";
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Python), "deploy/shell/keep-port.py needs Python on Linux.");
        string script = Repository.PathOf("deploy/shell/keep-port.py");
        using var port = new ReservedPort();
        string number = port.Number.ToString(CultureInfo.InvariantCulture);
        await using ServerProcess server = await ServerProcess.StartByAsync(
            directory: null,
            (program, arguments) => (Python, [script, $"127.0.0.1:{number}", program, .. arguments]),
            "--port", number, "--Sessions:ReturnWithin=00:00:00.200");
        await using ClusterLoad load = await ClusterLoad.StartAsync([port.Number], clients: 4, rooms: 2);
        await load.WaitForAsync(10);

        string first = await File.ReadAllTextAsync($"/proc/{server.Program.Id}/task/{server.Program.Id}/children");
        PosixSignals.Terminate(int.Parse(first, CultureInfo.InvariantCulture));
        await server.Program.WaitForLineAsync(static line => line == "keep-port: the server has ended, and is started again");
        await load.WaitForAsync(10);
        await load.StopAsync();

        load.Verify();
        Assert.All(load.Talkers, static talker => Assert.Equal([CloseReason.ServerShutdown], talker.Breaks));
    }

    [Fact]
    public async Task The_web_port_and_the_operations_port_use_sockets_that_systemd_passes()
    {
        Assert.SkipUnless(File.Exists(SocketActivate), "This system has no systemd-socket-activate (package systemd).");
        int[] ports = FreePorts(3);
        string[] addresses = [.. ports.Select(static port => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"))];
        // It starts the server when the first client connects, and becomes the server.
        Task<ServerProcess> starting = ServerProcess.StartByAsync(
            directory: null,
            (program, arguments) => (SocketActivate, [.. addresses.SelectMany(static a => new[] { "-l", a }), program, .. arguments]),
            "--port", ports[0].ToString(CultureInfo.InvariantCulture),
            "--Web:Enabled=true", string.Create(CultureInfo.InvariantCulture, $"--Web:Port={ports[1]}"),
            "--Operations:Enabled=true", $"--Operations:Address={addresses[2]}");
        await Eventually.TrueAsync(() => Accepts(ports[2]));
        await using ServerProcess server = await starting.WaitAsync(TestTimeouts.Hang);

        using var http = new HttpClient { Timeout = TestTimeouts.Hang };
        string ready = await http.GetStringAsync($"http://{addresses[2]}/healthz/ready");
        using HttpResponseMessage page = await http.GetAsync($"http://{addresses[1]}/");
        using RawPeer player = await RawPeer.ConnectAsync(ports[0]);

        Assert.Equal("The server takes clients.\n", ready);
        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
        Assert.Equal(ports[0], server.Port);
        Assert.Equal(ports[1], await server.WaitForWebPortAsync());
        Assert.Equal(0, await server.StopAsync());
    }

    private static bool Accepts(int port)
    {
        try
        {
            using var client = new TcpClient();
            client.Connect(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    // The tool takes no port 0. The ports are free when they are read, and the kernel gives a free port out in turn.
    private static int[] FreePorts(int count)
    {
        Socket[] sockets = [.. Enumerable.Range(0, count).Select(static _ =>
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            return socket;
        })];
        int[] ports = [.. sockets.Select(static socket => ((IPEndPoint)socket.LocalEndPoint!).Port)];
        Array.ForEach(sockets, static socket => socket.Dispose());
        return ports;
    }

    private static async Task ConnectAsync(int port, ServedClients served, CancellationToken enough)
    {
        List<Task> clients = [];
        using var pace = new PeriodicTimer(TimeSpan.FromSeconds(1) / ConnectsPerSecond);
        try
        {
            while (await pace.WaitForNextTickAsync(enough))
            {
                clients.Add(ServeAsync(port, served));
            }
        }
        catch (OperationCanceledException)
        {
            // The test has seen enough.
        }

        await Task.WhenAll(clients); // each of them: a client that was refused fails the test
    }

    // The old server may accept a client and then tell it that it stops. Such a client connects again, once: the new server serves it.
    private static async Task ServeAsync(int port, ServedClients served)
    {
        for (int attempt = 0; ; attempt++)
        {
            using RawPeer peer = await RawPeer.ConnectAsync(port); // throws when it is refused
            try
            {
                await peer.SendAsync(s_frame);
                Assert.Equal(s_frame, await peer.ReceiveAsync(s_frame.Length));
                served.Add();
                return;
            }
            catch (Exception e) when (attempt == 0 && e is (SocketException or EndOfStreamException))
            {
                continue;
            }
        }
    }

    /// <summary>Counts clients whose frame came back, and wakes a test that waits for so many. Thread-safe.</summary>
    private sealed class ServedClients
    {
        private readonly object _gate = new();
        private int _count;
        private (int Count, TaskCompletionSource Reached)? _awaited;

        public int Count
        {
            get
            {
                lock (_gate)
                {
                    return _count;
                }
            }
        }

        public void Add()
        {
            lock (_gate)
            {
                _count++;
                if (_awaited is { } awaited && _count >= awaited.Count)
                {
                    awaited.Reached.TrySetResult();
                }
            }
        }

        public Task WaitForAsync(int count)
        {
            lock (_gate)
            {
                var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _awaited = (count, reached);
                return _count >= count ? Task.CompletedTask : reached.Task.WaitAsync(TestTimeouts.Hang);
            }
        }
    }
}
