using System.CommandLine;
using System.Globalization;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>mapped</c>: PlayChat inside ASP.NET Core, until it is interrupted.</summary>
internal sealed class MappedCommand
{
    private const int MaxRooms = 100_000;
    private const int MaxFlushMilliseconds = 1000;

    private readonly Option<string> _mode = new("--mode")
    {
        Description = "echo (4-byte length and body, sent back) or broadcast (length, sender and payload, sent to the sender's room).",
        DefaultValueFactory = _ => "echo",
        HelpName = "MODE",
    };

    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms of the broadcast mode. Connection k, counted from 1, is in room k mod N.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _flush = new("--flush-ms")
    {
        Description = "Milliseconds at least between two sends of a room (FlushInterval); 0 sends at once.",
        HelpName = "N",
    };

    private readonly Option<int> _port = new("--port")
    {
        Description = "Port on 127.0.0.1; 0 takes a free one.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    public Command Create()
    {
        var command = new Command(
            "mapped", "Runs PlayChat on the WebSocket route /ws of ASP.NET Core (MapPlayChat), on the loopback, until it is interrupted.")
        {
            _mode, _rooms, _flush, _port,
        };
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult result, CancellationToken interrupted)
    {
        string mode = result.GetValue(_mode)!;
        int rooms = result.GetValue(_rooms);
        int flush = result.GetValue(_flush);
        int port = result.GetValue(_port);
        LoadOptions.Require(rooms is >= 1 and <= MaxRooms, "--rooms", rooms, $"1 to {MaxRooms}");
        LoadOptions.Require(flush is >= 0 and <= MaxFlushMilliseconds, "--flush-ms", flush, $"0 to {MaxFlushMilliseconds}");
        LoadOptions.Require(port is >= 0 and <= 65_535, "--port", port, "0 to 65535");
        Task<MappedServer> starting = mode switch
        {
            "echo" => MappedServer.StartEchoAsync(port),
            "broadcast" => MappedServer.StartBroadcastAsync(port, rooms, TimeSpan.FromMilliseconds(flush)),
            _ => throw new UsageException($"--mode is '{mode}'; allowed is echo or broadcast."),
        };
        try
        {
            await using MappedServer server = await starting;
            result.InvocationConfiguration.Output.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"Listening on 127.0.0.1:{server.Port}"));
            await Task.Delay(Timeout.Infinite, interrupted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return 0;
        }
        catch (IOException e)
        {
            throw new RunFailedException($"The server did not start: {e.Message}");
        }
    }
}
