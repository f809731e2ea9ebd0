using System.CommandLine;
using System.Globalization;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Benchmark.Baselines;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>serve</c>: a server to compare PlayChat with, until it is interrupted.</summary>
internal sealed class ServeCommand
{
    private const int MaxRooms = 100_000;

    private readonly Option<string> _baseline = new("--baseline")
    {
        Description = $"The server: {string.Join(", ", Baseline.Names)}.",
        Required = true,
        HelpName = "NAME",
    };

    private readonly Option<string> _mode = new("--mode")
    {
        Description = "echo (4-byte length and body, sent back), broadcast (length, sender and payload, sent to the sender's room), "
            + "classroom (the same with one room), or chat (logins and echo requests of the chat protocol; kestrel alone).",
        DefaultValueFactory = _ => "echo",
        HelpName = "MODE",
    };

    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms of the broadcast mode. Connection k, counted from 1, is in room k mod N.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _port = new("--port")
    {
        Description = "Port on 127.0.0.1; 0 takes a free one.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<string?> _kpi = new("--kpi")
    {
        Description = "Append the server's figures to this file, four times per second.",
        HelpName = "FILE",
    };

    private readonly Option<string?> _certificate = new("--certificate")
    {
        Description = "kestrel: a PEM file with the certificate for TLS; with --key.",
        HelpName = "FILE",
    };

    private readonly Option<string?> _key = new("--key") { Description = "kestrel: a PEM file with its private key.", HelpName = "FILE" };

    public Command Create()
    {
        var command = new Command("serve", "Runs a small server to compare PlayChat with, on the loopback, until it is interrupted.")
        {
            _baseline, _mode, _rooms, _port, _kpi, _certificate, _key,
        };
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult result, CancellationToken interrupted)
    {
        string name = LoadOptions.RequireBaseline(result.GetValue(_baseline)!);
        string mode = result.GetValue(_mode)!;
        IReadOnlyList<string> modes = Baseline.ModesOf(name);
        if (!modes.Contains(mode, StringComparer.Ordinal))
        {
            throw new UsageException($"--mode is '{mode}'; with --baseline {name}, allowed is {string.Join(", ", modes)}.");
        }

        int rooms = result.GetValue(_rooms);
        LoadOptions.Require(rooms is >= 1 and <= MaxRooms, "--rooms", rooms, $"1 to {MaxRooms}");
        int port = result.GetValue(_port);
        LoadOptions.Require(port is >= 0 and <= 65_535, "--port", port, "0 to 65535");
        BaselineMode kind = mode switch
        {
            "echo" => BaselineMode.Echo,
            "chat" => BaselineMode.Chat,
            _ => BaselineMode.Broadcast,
        };
        using X509Certificate2? certificate = ReadCertificate(name, result.GetValue(_certificate), result.GetValue(_key));
        var settings = new BaselineSettings(kind, mode == "classroom" ? 1 : rooms, port) { Certificate = certificate };
        try
        {
            await using IBaselineServer server = await Baseline.StartAsync(name, settings);
            result.InvocationConfiguration.Output.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"Listening on 127.0.0.1:{server.Port}"));
            Task kpis = result.GetValue(_kpi) is { } path
                ? new BaselineKpis(path, server.Counters).RunAsync(KpiFile.Interval, interrupted)
                : Task.CompletedTask;
            await WaitAsync(interrupted);
            await kpis;
            return 0;
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"The baseline failed: {e.Message}");
        }
    }

    private static X509Certificate2? ReadCertificate(string baseline, string? certificate, string? key)
    {
        if (certificate is null && key is null)
        {
            return null;
        }

        if (certificate is null || key is null || baseline != "kestrel")
        {
            throw new UsageException("--certificate and --key belong together, and to --baseline kestrel.");
        }

        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or CryptographicException)
        {
            throw new UsageException($"--certificate: reading '{certificate}' with '{key}' failed: {e.Message}");
        }
    }

    private static async Task WaitAsync(CancellationToken interrupted)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using CancellationTokenRegistration onInterrupt = interrupted.Register(ended.SetResult);
        await ended.Task;
    }
}
