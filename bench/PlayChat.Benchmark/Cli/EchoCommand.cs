using System.CommandLine;
using PlayChat.Benchmark.Echo;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>echo</c>.</summary>
internal sealed class EchoCommand
{
    private const int MaxConnections = 1_000_000;
    private const double MaxRate = 10_000_000;

    private readonly LoadOptions _load = new(warmup: 2, duration: 10);

    private readonly Option<int> _ccu = new("--ccu") { Description = "Connections.", DefaultValueFactory = _ => 1000, HelpName = "N" };

    private readonly Option<int> _inflight = new("--inflight")
    {
        Description = "Requests outstanding on each connection; with --rate, the most there may be.",
        DefaultValueFactory = _ => 200,
        HelpName = "N",
    };

    private readonly Option<int> _size = new("--size")
    {
        Description = "Payload of a request.",
        DefaultValueFactory = _ => 64,
        HelpName = "BYTES",
    };

    private readonly Option<string> _framing = new("--framing")
    {
        Description = "packet (C_ECHO_REQ of the chat protocol, with request ids), request (the same, each answer awaited by "
            + "RequestAsync), length4 (4-byte length and payload) or length2 (2-byte length and payload; needs --connect).",
        DefaultValueFactory = _ => "length4",
        HelpName = "FRAMING",
    };

    private readonly Option<long?> _messages = new("--messages")
    {
        Description = "End after this many requests on each connection, if --duration has not ended before.",
        HelpName = "N",
    };

    private readonly Option<double?> _rate = new("--rate")
    {
        Description = "Open loop: requests per second on all connections together, by a plan that does not wait for the server. "
            + "Latency counts from the planned time.",
        HelpName = "N",
    };

    private readonly Option<string> _maxLag = new("--max-lag")
    {
        Description = "With --rate: the run is invalid (exit code 1) when the load's own p99 from planned to real sending is over this.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    private readonly Option<int> _sample = new("--sample")
    {
        Description = "Time one round trip in this many. All answers are verified and counted.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _connectConcurrency = new("--connect-concurrency")
    {
        Description = "Connections being made at one time.",
        DefaultValueFactory = _ => ConnectionCrowd.AtOnce,
        HelpName = "N",
    };

    private readonly Option<double> _maxIncompleteRatio = new("--max-incomplete-ratio")
    {
        Description = "The run is good up to this share of requests without an answer at the end of the drain.",
        DefaultValueFactory = _ => 0,
        HelpName = "SHARE",
    };

    private readonly Option<double> _maxWarmup = new("--max-warmup")
    {
        Description = "If it is more than --warmup: the warm-up lasts until the rate has stopped rising for two seconds, and at most this "
            + "long. 0 warms up for --warmup.",
        DefaultValueFactory = _ => 0,
        HelpName = "SECONDS",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "echo", "Requests and answers: a fixed number outstanding on each connection, or at a fixed rate. Every answer is verified.")
        {
            _ccu, _inflight, _size, _framing, _messages, _rate, _maxLag, _sample, _connectConcurrency, _maxIncompleteRatio,
            _maxWarmup,
        };
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        EchoFraming framing = result.GetValue(_framing) switch
        {
            "packet" => EchoFraming.Packet,
            "request" => EchoFraming.Request,
            "length4" => EchoFraming.Length4,
            "length2" => EchoFraming.Length2,
            var other => throw new UsageException($"--framing is '{other}'; allowed is packet, request, length4 or length2."),
        };
        if (framing == EchoFraming.Length2 && target.Address is null)
        {
            throw new UsageException("--framing length2 needs --connect HOST:PORT. PlayChat.Server echoes packet and length4 only.");
        }

        var settings = new EchoSettings(
            result.GetValue(_ccu), result.GetValue(_inflight), result.GetValue(_size), framing, result.GetValue(_messages))
        {
            Rate = result.GetValue(_rate),
            MaxLag = TimeText.Parse(result.GetValue(_maxLag)!, _maxLag.Name),
            SampleEvery = result.GetValue(_sample),
            ConnectAtOnce = result.GetValue(_connectConcurrency),
            MaxIncompleteRatio = result.GetValue(_maxIncompleteRatio),
        };
        double maxWarmup = result.GetValue(_maxWarmup);
        LoadOptions.Require(maxWarmup is >= 0 and <= 3600, "--max-warmup", maxWarmup, "0 to 3600");
        target = target with { Plan = target.Plan with { MaxWarmup = TimeSpan.FromSeconds(maxWarmup) } };
        if (maxWarmup > 0 && settings.Rate is not null)
        {
            throw new UsageException("--max-warmup needs a load without --rate: a planned rate does not rise.");
        }

        bool isChat = framing is EchoFraming.Packet or EchoFraming.Request;
        int maxInflight = isChat ? ushort.MaxValue - 1 : 1_000_000; // request ids, but for that of the login
        LoadOptions.Require(settings.Ccu is >= 1 and <= MaxConnections, "--ccu", settings.Ccu, $"1 to {MaxConnections}");
        LoadOptions.Require(
            settings.Inflight >= 1 && settings.Inflight <= maxInflight, "--inflight", settings.Inflight, $"1 to {maxInflight}");
        LoadOptions.Require(settings.PayloadBytes >= 1, "--size", settings.PayloadBytes, "1 to the framing's limit");
        LoadOptions.Require(settings.MessagesPerConnection is null or >= 1, "--messages", settings.MessagesPerConnection ?? 0, "1 or more");
        LoadOptions.Require(settings.Rate is null or (> 0 and <= MaxRate), "--rate", settings.Rate ?? 0, $"more than 0, to {MaxRate:0}");
        LoadOptions.Require(settings.SampleEvery >= 1, "--sample", settings.SampleEvery, "1 or more");
        LoadOptions.Require(
            settings.ConnectAtOnce is >= 1 and <= MaxConnections,
            "--connect-concurrency",
            settings.ConnectAtOnce,
            $"1 to {MaxConnections}");
        LoadOptions.Require(settings.MaxIncompleteRatio is >= 0 and <= 1, "--max-incomplete-ratio", settings.MaxIncompleteRatio, "0 to 1");
        if (settings.Rate is not null && framing == EchoFraming.Request)
        {
            throw new UsageException("--rate needs --framing packet, length4 or length2: awaited requests are a closed loop.");
        }

        if (settings.Rate is not null && (settings.MessagesPerConnection is not null || settings.SampleEvery > 1))
        {
            throw new UsageException(
                "--rate goes with neither --messages nor --sample: its plan has a fixed end, and every answer is timed.");
        }

        if (framing != EchoFraming.Request && LoadClients.CreateEcho(target) is not null)
        {
            throw new UsageException($"The baseline {target.Baseline} has a protocol of its own: use --framing request.");
        }

        _ = new EchoCodec(settings); // knows the framing's limit
        return new LoadRun(
            target,
            settings.Ccu,
            new ServerSettings(isChat ? "chat" : "echo", target.Port, target.ServerKeys, target.ServerCores),
            _ => new EchoScenario(settings, target.Transport, framing == EchoFraming.Request ? LoadClients.CreateEcho(target) : null))
        {
            ConnectAtOnce = settings.ConnectAtOnce,
        };
    }
}
