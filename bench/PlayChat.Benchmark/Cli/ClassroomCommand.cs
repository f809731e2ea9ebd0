using System.CommandLine;
using System.Globalization;
using PlayChat.Benchmark.Classroom;
using PlayChat.Benchmark.Classroom.Parts;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>classroom</c>.</summary>
internal sealed class ClassroomCommand
{
    private readonly LoadOptions _load = new(warmup: 5, duration: 30);
    private readonly FanoutOptions _fanout = new();

    private readonly Option<int> _processes = new("--processes")
    {
        Description = "Client processes. With 1, this process makes all connections; otherwise it starts as many, and one for the "
            + "observer.",
        DefaultValueFactory = _ => 4,
        HelpName = "P",
    };

    private readonly Option<bool> _oneProcess = new("--one-process")
    {
        Description = "This process makes the connections of all client processes, which leaves more of the machine to the server.",
    };

    private readonly Option<int> _connections = new("--connections")
    {
        Description = "Connections of each process.",
        DefaultValueFactory = _ => 50,
        HelpName = "C",
    };

    private readonly Option<int> _size = new("--size")
    {
        Description = "Bytes of a whole message: length, sender and payload.",
        DefaultValueFactory = _ => 104,
        HelpName = "BYTES",
    };

    private readonly Option<double> _rps = new("--rps")
    {
        Description = "Messages per second of each connection.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<double> _observerRps = new("--observer-rps")
    {
        Description = "Messages per second of one extra connection that measures its own round trip; 0 leaves it out.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<int> _workers = new("--workers")
    {
        Description = "Worker threads of the PlayChat server that is started; 0 lets the server decide.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<int> _atOnce = new("--connect-at-once")
    {
        Description = "Connections made at one instant.",
        DefaultValueFactory = _ => ConnectionCrowd.AtOnce,
        HelpName = "N",
    };

    private readonly Option<int> _stalled = new("--stalled-readers", "--silent")
    {
        Description = "Extra connections that never read.",
        DefaultValueFactory = _ => 0,
        HelpName = "K",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "classroom", "Every message to every connection, as length(2) + sender(2) + payload. An observer measures its own round trip.")
        {
            _processes, _oneProcess, _connections, _size, _rps, _observerRps, _workers, _atOnce, _stalled,
        };
        _fanout.AddTo(command);
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        int processes = result.GetValue(_processes);
        int connections = result.GetValue(_connections);
        int size = result.GetValue(_size);
        int workers = result.GetValue(_workers);
        LoadOptions.Require(
            processes is >= 1 and <= ClassroomSettings.MaxClients, "--processes", processes, $"1 to {ClassroomSettings.MaxClients}");
        LoadOptions.Require(
            connections >= 1 && (long)processes * connections <= ClassroomSettings.MaxClients - 1,
            "--connections",
            connections,
            $"1 to {ClassroomSettings.MaxClients - 1} in all processes: a sender is two bytes");
        const int MinSize = ClassroomSettings.HeaderBytes + ChatText.MinBytes;
        const int MaxSize = ClassroomSettings.HeaderBytes + ChatLimits.MaxTextBytes;
        LoadOptions.Require(size is >= MinSize and <= MaxSize, "--size", size, $"{MinSize} to {MaxSize}");
        LoadOptions.Require(workers is >= 0 and <= 1024, "--workers", workers, "0 to 1024");
        if (workers > 0 && (target.Address is not null || target.Baseline is not null))
        {
            throw new UsageException(
                "--workers is for a PlayChat server that the benchmark starts, so it goes with neither --connect nor --baseline.");
        }

        PayloadMix payloads = PayloadMix.Parse(string.Create(CultureInfo.InvariantCulture, $"{size - ClassroomSettings.HeaderBytes}:1"));
        var settings = new ClassroomSettings(processes * connections, Rooms: 1, result.GetValue(_rps), payloads, Seed: 1)
        {
            ObserverMessagesPerSecond = result.GetValue(_observerRps),
            Stalled = result.GetValue(_stalled),
            ConnectAtOnce = result.GetValue(_atOnce),
            Late = _fanout.Late(result),
            MaxLag = _fanout.MaxLag(result),
        };
        LoadOptions.Require(settings.MessagesPerSecond is > 0 and <= 10_000, "--rps", settings.MessagesPerSecond, "more than 0, to 10000");
        LoadOptions.Require(
            settings.ObserverMessagesPerSecond is >= 0 and <= 10_000, "--observer-rps", settings.ObserverMessagesPerSecond, "0 to 10000");
        LoadOptions.Require(settings.Stalled is >= 0 and <= 100_000, "--stalled-readers", settings.Stalled, "0 to 100000");
        LoadOptions.Require(settings.ConnectAtOnce >= 1, "--connect-at-once", settings.ConnectAtOnce, "1 or more");
        (string, string)[] keys = workers == 0 ? [] : [("Workers", workers.ToString(CultureInfo.InvariantCulture))];
        return new LoadRun(
            target,
            settings.Connections,
            new ServerSettings("classroom", target.Port, [.. keys, .. target.ServerKeys], target.ServerCores),
            _ => processes == 1 || result.GetValue(_oneProcess) || LoadClients.HasNetwork(target.Baseline)
                ? new ClassroomScenario("classroom", settings, LoadClients.CreateNetwork(target, settings.Connections))
                : new ClassroomProcesses(
                    settings, processes, (server, first, own) => Order(settings, target.TransportSettings, server, first, own)));
    }

    private static PartOrder Order(ClassroomSettings settings, LoadTransport transport, ServerAddress server, int first, int own) => new(
        server.Host,
        server.Port,
        settings.Clients,
        settings.MessagesPerSecond,
        settings.ObserverMessagesPerSecond,
        settings.Payloads.Text,
        settings.Seed,
        first,
        own,
        settings.ConnectAtOnce,
        settings.Late.TotalMilliseconds,
        transport.Name,
        transport.Threads,
        transport.SourceAddresses);
}
