using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Baselines;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options that every load has.</summary>
internal sealed class LoadOptions
{
    private const double MaxSeconds = 86_400;
    private const int MaxThreads = 1024;

    private readonly Option<string?> _connect = new("--connect")
    {
        Description = "Use a running server instead of starting one.",
        HelpName = "HOST:PORT",
    };

    private readonly Option<string?> _serverKpi = new("--server-kpi")
    {
        Description = "With --connect: the file of that server's option Kpi:JsonFile, to read the server's figures.",
        HelpName = "FILE",
    };

    private readonly Option<string?> _baseline = new("--baseline")
    {
        Description = $"Start this server in place of PlayChat.Server: {string.Join(", ", Baseline.Names)}.",
        HelpName = "NAME",
    };

    private readonly Option<int> _port = new("--port")
    {
        Description = "Port of the server that is started; 0 takes a free one.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<string> _transport = new("--transport")
    {
        Description = "The transport of the load's own connections: linux (epoll, the cheapest), sockets (the runtime's), "
            + "or auto (linux where it is supported).",
        DefaultValueFactory = _ => "auto",
        HelpName = "TRANSPORT",
    };

    private readonly Option<int> _threads = new("--load-threads")
    {
        Description = "Threads that move the load's own bytes: event loops of the transport linux, pool threads of sockets. "
            + "0 leaves it to the runtime.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<int> _sources = new("--source-addresses")
    {
        Description = "Linux: the load's connections come from 127.0.0.1 to 127.0.0.N in turn, so a server on this machine sees N "
            + "addresses, each with ports of its own. 0 leaves the address to the system.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<string[]> _server = new("--server")
    {
        Description = "An option of the server that is started, such as Transport=linux or "
            + "PlayChat:Rooms:FlushInterval=00:00:00.005. May be given several times.",
        DefaultValueFactory = _ => [],
        HelpName = "KEY=VALUE",
    };

    private readonly Option<string?> _serverCores = new("--server-cores")
    {
        Description = "Linux: the processors of the server that is started, such as 1 or 0,2-3. Pin the load itself with taskset.",
        HelpName = "LIST",
        Aliases = { "--server-cpus" },
    };

    private readonly Option<double> _warmup;
    private readonly Option<double> _duration;

    private readonly Option<double> _drain =
        Seconds("--drain-timeout", "How long to wait for answers that are outstanding at the end.", 10);
    private readonly Option<double> _interval = Seconds("--interval", "Time between two rows of the table.", 5);

    private readonly Option<string?> _json = new("--json") { Description = "Write the report as JSON.", HelpName = "FILE" };
    private readonly Option<string?> _csv = new("--csv") { Description = "Write the report's figures as CSV.", HelpName = "FILE" };
    private readonly CheckOptions _checks = new();

    public LoadOptions(double warmup, double duration)
    {
        _warmup = Seconds("--warmup", "Load before the measurement, which is not counted.", warmup);
        _duration = Seconds("--duration", "Length of the measurement.", duration);
    }

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        Option[] options =
        [
            _warmup, _duration, _drain, _interval, _transport, _threads, _sources, _connect, _serverKpi, _baseline, _port, _server,
            _serverCores, _json, _csv,
        ];
        foreach (Option option in options)
        {
            command.Options.Add(option);
        }

        _checks.AddTo(command);
    }

    /// <summary>Reads and checks them.</summary>
    /// <exception cref="UsageException">An option is invalid.</exception>
    public LoadTarget Read(ParseResult result)
    {
        string? connect = result.GetValue(_connect);
        string? serverKpi = result.GetValue(_serverKpi);
        if (serverKpi is not null && connect is null)
        {
            throw new UsageException("--server-kpi needs --connect. The figures of a server that the benchmark starts are always read.");
        }

        if (serverKpi is not null && !File.Exists(serverKpi))
        {
            throw new UsageException(
                $"--server-kpi: there is no file '{serverKpi}'. Start the server with --Kpi:JsonFile=FILE --Kpi:Interval=00:00:01.");
        }

        int port = result.GetValue(_port);
        Require(port is >= 0 and <= 65_535, "--port", port, "0 to 65535");
        int threads = result.GetValue(_threads);
        Require(threads is >= 0 and <= MaxThreads, "--load-threads", threads, $"0 to {MaxThreads}");
        int sources = result.GetValue(_sources);
        Require(
            sources is >= 0 and <= LoadTransport.MaxSourceAddresses,
            "--source-addresses",
            sources,
            $"0 to {LoadTransport.MaxSourceAddresses}");
        var transport = new LoadTransport(result.GetValue(_transport)!, threads, sources);
        (JsonObject? earlier, IReadOnlyList<FailCondition> conditions) = _checks.Read(result);
        if (earlier is not null)
        {
            Comparison.Check(earlier, experiments: false);
        }

        var plan = new RunPlan(
            Time(result, _warmup, 0),
            MaxWarmup: TimeSpan.Zero,
            Time(result, _duration, 0.1),
            Time(result, _drain, 0),
            Time(result, _interval, 0.5));
        return new LoadTarget(
            plan,
            connect is null ? null : ServerAddress.Parse(connect),
            serverKpi,
            port,
            Settings(result.GetValue(_server)!, connect),
            Cores(result.GetValue(_serverCores), connect),
            transport.Create(),
            Writable(result.GetValue(_json), "--json"),
            Writable(result.GetValue(_csv), "--csv"))
        {
            TransportSettings = transport,
            Baseline = ReadBaseline(result, connect),
            Earlier = earlier,
            Conditions = conditions,
        };
    }

    /// <summary>Checks the name of a baseline.</summary>
    /// <exception cref="UsageException">The value is invalid.</exception>
    public static string RequireBaseline(string name) => Baseline.Names.Contains(name, StringComparer.Ordinal)
        ? name
        : throw new UsageException($"--baseline is '{name}'; allowed is {string.Join(", ", Baseline.Names)}.");

    /// <summary>Checks that a number is in its range.</summary>
    /// <exception cref="UsageException"><paramref name="good"/> is false.</exception>
    public static void Require(bool good, string option, double value, string allowed)
    {
        if (!good)
        {
            throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{option} is {value}; allowed is {allowed}."));
        }
    }

    /// <summary>Checks a list of processors.</summary>
    /// <exception cref="UsageException">The value is invalid.</exception>
    public static string CpuList(string list, string option) =>
        list.Length > 0 && list.All(static letter => char.IsAsciiDigit(letter) || letter is ',' or '-')
            ? list
            : throw new UsageException($"{option} takes processors such as 1 or 0,2-3, not '{list}'.");

    private string? ReadBaseline(ParseResult result, string? connect)
    {
        if (result.GetValue(_baseline) is not { } name)
        {
            return null;
        }

        return connect is null && result.GetValue(_server)!.Length == 0
            ? RequireBaseline(name)
            : throw new UsageException("--baseline starts a server, so it goes with neither --connect nor --server.");
    }

    private static Option<double> Seconds(string name, string description, double standard) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => standard,
        HelpName = "SECONDS",
    };

    private static TimeSpan Time(ParseResult result, Option<double> option, double min)
    {
        double seconds = result.GetValue(option);
        string range = string.Create(CultureInfo.InvariantCulture, $"{min} to {MaxSeconds} seconds");
        Require(seconds >= min && seconds <= MaxSeconds, option.Name, seconds, range);
        return TimeSpan.FromSeconds(seconds);
    }

    private static (string Key, string Value)[] Settings(string[] settings, string? connect)
    {
        if (settings.Length > 0 && connect is not null)
        {
            throw new UsageException("--server sets options of the server that the benchmark starts, so it does not go with --connect.");
        }

        return settings.Select(Setting).ToArray();
    }

    private static string? Cores(string? cores, string? connect)
    {
        if (cores is null)
        {
            return null;
        }

        if (connect is not null || !ServerProcess.CanPin)
        {
            throw new UsageException("--server-cores needs a server that the benchmark starts, on Linux with the program taskset.");
        }

        return CpuList(cores, "--server-cores");
    }

    private static (string Key, string Value) Setting(string text)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        return equals > 0
            ? (text[..equals], text[(equals + 1)..])
            : throw new UsageException($"--server takes KEY=VALUE, such as Transport=linux, not '{text}'.");
    }

    // Checked before the run, so that its result is not lost.
    private static string? Writable(string? path, string option) =>
        path is null || Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(path)))
            ? path
            : throw new UsageException($"{option}: the folder of '{path}' does not exist.");
}
