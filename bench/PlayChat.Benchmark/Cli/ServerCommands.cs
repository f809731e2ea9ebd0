using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Benchmark.Cli;

/// <summary>The commands that run a server to compare PlayChat with, until they are interrupted.</summary>
internal static class ServerCommands
{
    private const int MaxRooms = 100_000;
    private const string Rooms = "Rooms of the broadcast mode. Connection k, counted from 1, is in room k mod N.";
    private const string Port = "Port on 127.0.0.1; 0 takes a free one.";

    public static IEnumerable<Command> Create() =>
    [
        new OptionTable()
            .Text("--baseline", null, "NAME", $"The server: {string.Join(", ", Baseline.Names)}.")
            .Text("--mode", "echo", "MODE", "echo, broadcast, classroom (one room), or chat (logins and echo requests; kestrel alone).")
            .Int("--rooms", 1, 1, MaxRooms, Rooms)
            .Int("--port", 0, 0, 65_535, Port)
            .Text("--kpi", null, "FILE", "Append the server's figures to this file, four times per second.")
            .Text("--certificate", null, "FILE", "kestrel: a PEM file with the certificate for TLS; with --key.")
            .Text("--key", null, "FILE", "kestrel: a PEM file with its private key.")
            .Create("serve", "Runs a small server to compare PlayChat with, on the loopback, until it is interrupted.", ServeAsync),
        new OptionTable()
            .Text("--mode", "echo", "MODE", "echo (4-byte length and body) or broadcast (length, sender, payload, to the sender's room).")
            .Int("--rooms", 1, 1, MaxRooms, Rooms)
            .Int("--flush-ms", 0, 0, 1000, "Milliseconds at least between two sends of a room (FlushInterval); 0 sends at once.")
            .Int("--port", 0, 0, 65_535, Port)
            .Create("mapped", "Runs PlayChat on the WebSocket route /ws of ASP.NET Core (MapPlayChat), until it is interrupted.", MapAsync),
        new OptionTable()
            .Int("--rooms", 1000, 1, MaxRooms, "Rooms that tick. Connection k, counted from 1, is in room k mod N.")
            .Number("--hertz", 20, double.Epsilon, 1000, "Ticks per second of each room.")
            .Flag("--state", "The rooms assign to a state (PlayChat.State) instead of writing a packet by hand.")
            .Text("--transport", "sockets", "NAME", "linux (epoll) or sockets.")
            .Int("--port", 0, 0, 65_535, Port)
            .Create("ticks", "Runs rooms that send positions at a fixed tick, until it is interrupted.", TickAsync),
    ];

    private static async Task<int> ServeAsync(OptionValues values, CancellationToken interrupted)
    {
        BaselineKind baseline = Baseline.Require(
            values.OptionalText("--baseline") ?? throw new UsageException("serve needs --baseline NAME."));
        string mode = values.Text("--mode");
        UsageException.Unless(
            baseline.Modes.Contains(mode, StringComparer.Ordinal),
            $"--mode is '{mode}'; with --baseline {baseline.Name}, allowed is {string.Join(", ", baseline.Modes)}.");
        BaselineMode kind = mode switch
        {
            "echo" => BaselineMode.Echo,
            "chat" => BaselineMode.Chat,
            _ => BaselineMode.Broadcast,
        };
        (string? certificatePath, string? key) = (values.OptionalText("--certificate"), values.OptionalText("--key"));
        UsageException.Unless(
            (certificatePath is null && key is null) || (certificatePath is not null && key is not null && baseline.Name == "kestrel"),
            "--certificate and --key belong together, and to --baseline kestrel.");
        using X509Certificate2? certificate = certificatePath is null ? null : ReadCertificate(certificatePath, key!);
        var settings = new BaselineSettings(kind, mode == "classroom" ? 1 : values.Int("--rooms"), values.Int("--port"))
        {
            Certificate = certificate,
        };
        return await HoldAsync(
            values,
            baseline.StartAsync(settings),
            static server => server.Port,
            interrupted,
            server => values.OptionalText("--kpi") is { } path
                ? new BaselineKpis(path, server.Counters).RunAsync(KpiFile.Interval, interrupted)
                : Task.CompletedTask);
    }

    private static Task<int> MapAsync(OptionValues values, CancellationToken interrupted)
    {
        int port = values.Int("--port");
        Task<WebServer> starting = values.Text("--mode") switch
        {
            "echo" => MappedServer.StartEchoAsync(port),
            "broadcast" => MappedServer.StartBroadcastAsync(
                port, values.Int("--rooms"), TimeSpan.FromMilliseconds(values.Int("--flush-ms"))),
            var mode => throw new UsageException($"--mode is '{mode}'; allowed is echo or broadcast."),
        };
        return HoldAsync(values, starting, static server => server.Port, interrupted);
    }

    private static Task<int> TickAsync(OptionValues values, CancellationToken interrupted)
    {
        string transport = values.Text("--transport");
        UsageException.Unless(
            (transport is "linux" or "sockets", $"--transport is '{transport}'; allowed is linux or sockets."),
            (transport != "linux" || LinuxTransport.IsSupported, "--transport linux needs Linux on x64 or arm64; use sockets here."));
        var settings = new TickSettings(
            values.Int("--port"), values.Int("--rooms"), values.Number("--hertz"), values.Flag("--state"), transport == "linux");
        return HoldAsync(
            values, TickServer.StartAsync(settings), static server => ((IPEndPoint)server.EndPoints[0]).Port, interrupted);
    }

    // Says where a server listens, and keeps it until the command is interrupted.
    private static async Task<int> HoldAsync<TServer>(
        OptionValues values,
        Task<TServer> starting,
        Func<TServer, int> port,
        CancellationToken interrupted,
        Func<TServer, Task>? beside = null)
        where TServer : IAsyncDisposable
    {
        try
        {
            await using TServer server = await starting;
            Task others = beside?.Invoke(server) ?? Task.CompletedTask;
            await values.Console.Output.WriteLineAsync($"Listening on 127.0.0.1:{port(server)}");
            await Task.Delay(Timeout.Infinite, interrupted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await others;
            return 0;
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException or ListenFailedException)
        {
            throw new RunFailedException($"The server failed: {e.Message}");
        }
    }

    private static X509Certificate2 ReadCertificate(string certificate, string key)
    {
        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or CryptographicException)
        {
            throw new UsageException($"--certificate: reading '{certificate}' with '{key}' failed: {e.Message}");
        }
    }
}
