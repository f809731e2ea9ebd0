using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Channels;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>What the server tells systemd, on a socket as systemd makes it (sd_notify(3)).</summary>
public sealed class ServiceManagerTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();
    private readonly Socket _notifications = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
    private readonly Channel<string> _told = Channel.CreateUnbounded<string>();

    public void Dispose()
    {
        _notifications.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task Systemd_is_told_of_start_reload_life_and_stop_in_this_order()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "sd_notify is for Linux.");
        string path = _folder.Combine("notify");
        Listen(path);

        await using ServerProcess server = await StartAsync($"NOTIFY_SOCKET={path}", "WATCHDOG_USEC=100000");
        Assert.Equal("STATUS=Starting", await ReceiveAsync(static text => !text.StartsWith("WATCHDOG", StringComparison.Ordinal)));
        string ready = await ReceiveAsync(static text => text.Contains("READY=1", StringComparison.Ordinal));
        Assert.Equal($"READY=1\nSTATUS=Serving 0 sessions on 127.0.0.1:{server.Port}", ready);
        string alive = await ReceiveAsync(static text => text.StartsWith("WATCHDOG=1\n", StringComparison.Ordinal));
        Assert.Contains("STATUS=Serving 0 sessions", alive, StringComparison.Ordinal);

        long before = Stopwatch.GetTimestamp() / 1000; // CLOCK_MONOTONIC, as in the server
        server.Program.HangUp();
        string reloading = await ReceiveAsync(static text => text.StartsWith("RELOADING=1\n", StringComparison.Ordinal));
        long since = long.Parse(reloading.Split('\n')[1]["MONOTONIC_USEC=".Length..], CultureInfo.InvariantCulture);
        Assert.InRange(since, before, Stopwatch.GetTimestamp() / 1000);
        await ReceiveAsync(static text => text.StartsWith("READY=1\n", StringComparison.Ordinal));

        Assert.Equal(0, await server.StopAsync());
        await ReceiveAsync(static text => text.StartsWith("STOPPING=1\n", StringComparison.Ordinal));
        Assert.Empty(server.Program.ErrorLines);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_server_whose_service_manager_has_gone_runs_and_says_so_once()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "sd_notify is for Linux.");

        await using ServerProcess server =
            await StartAsync($"NOTIFY_SOCKET={_folder.Combine("none")}", "WATCHDOG_USEC=20000", "--Serilog:WriteTo:0:Name=Console");
        await server.Program.WaitForLineAsync(static line => line.Contains("could not be told the state", StringComparison.Ordinal));

        Assert.Equal(0, await server.StopAsync());
        Assert.Single(
            server.Program.OutputLines, static line => line.Contains("could not be told the state", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_server_that_is_stopped_while_it_starts_says_that_it_stops_and_never_that_it_is_ready()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "sd_notify is for Linux.");
        string path = _folder.Combine("notify");
        Listen(path);
        using var silent = new TcpListener(IPAddress.Loopback, 0); // a database that does not answer
        silent.Start();
        int port = ((IPEndPoint)silent.LocalEndpoint).Port;
        (string file, string[] arguments) = ProgramProcess.CommandOf(
            ProgramFile.Server,
            [
                "--port", "0", "--Storage:Provider=Postgres",
                $"--Storage:ConnectionString=Host=127.0.0.1;Port={port};Username=a;Password=b;Timeout=300",
            ]);
        await using var program = ProgramProcess.Start("/usr/bin/env", _folder.Path, [$"NOTIFY_SOCKET={path}", file, .. arguments]);
        using TcpClient asking = await silent.AcceptTcpClientAsync().WaitAsync(TestTimeouts.Hang);

        program.Terminate();
        List<string> heard = [];
        await ReceiveAsync(text =>
        {
            heard.Add(text);
            return text.StartsWith("STOPPING=1\n", StringComparison.Ordinal);
        });

        Assert.Equal(0, await program.WaitForExitAsync());
        Assert.Equal("STOPPING=1\nSTATUS=Stopping before the start was done", heard[^1]);
        Assert.DoesNotContain(heard, static text => text.Contains("READY", StringComparison.Ordinal));
        Assert.Empty(program.ErrorLines);
    }

    private static Task<ServerProcess> StartAsync(string socket, string watchdog, params string[] options) => ServerProcess.StartByAsync(
        directory: null, (program, arguments) => ("/usr/bin/env", [socket, watchdog, program, .. arguments]), options);

    /// <summary>Reads at once what the server says, as systemd does: the system keeps few messages, then the server waits.</summary>
    private void Listen(string path)
    {
        _notifications.Bind(new UnixDomainSocketEndPoint(path));
        _ = Task.Run(async () =>
        {
            byte[] buffer = new byte[4096];
            try
            {
                while (true)
                {
                    int received = await _notifications.ReceiveAsync(buffer, SocketFlags.None);
                    _told.Writer.TryWrite(Encoding.UTF8.GetString(buffer, 0, received));
                }
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                _told.Writer.Complete();
            }
        });
    }

    /// <summary>Takes messages until one is meant.</summary>
    private async Task<string> ReceiveAsync(Func<string, bool> isMeant)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        while (true)
        {
            string text = await _told.Reader.ReadAsync(hang.Token);
            if (isMeant(text))
            {
                return text;
            }
        }
    }
}
