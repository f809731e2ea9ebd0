using System.CommandLine;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Servers;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options that every experiment has.</summary>
internal sealed class ExperimentOptions
{
    private const string None = "none";

    private readonly Option<int> _repeat = new("--repeat")
    {
        Description = "Rounds. Each round makes every run once, so that all runs meet the same machine. The report has median and range.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<string[]> _against = new("--against")
    {
        Description = $"Servers to compare with: {string.Join(", ", Subjects.All)}, {Subjects.NativeLinuxOption} (PlayChat on its "
            + $"Linux transport), or {None}. Default: the servers that suit the experiment.",
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = "NAME…",
    };

    private readonly Option<string?> _serverCpus = new("--server-cpus")
    {
        Description = "Linux: the server's processors, such as 1 or 0,2-3.",
        HelpName = "LIST",
    };

    private readonly Option<string?> _clientCpus = new("--client-cpus")
    {
        Description = "Linux: the load's processors.",
        HelpName = "LIST",
    };

    private readonly Option<string> _report = new("--report")
    {
        Description = "Folder of the report: index.html, results.json, results.md.",
        DefaultValueFactory = _ => "report",
        HelpName = "FOLDER",
    };

    private readonly CheckOptions _checks = new();

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_repeat, _against, _serverCpus, _clientCpus, _report])
        {
            command.Options.Add(option);
        }

        _checks.AddTo(command);
    }

    /// <summary>Reads and checks them.</summary>
    /// <exception cref="UsageException">An option is invalid.</exception>
    public ExperimentSettings Read(ParseResult result)
    {
        int rounds = result.GetValue(_repeat);
        LoadOptions.Require(rounds is >= 1 and <= 1000, "--repeat", rounds, "1 to 1000");
        (JsonObject? earlier, IReadOnlyList<FailCondition> conditions) = _checks.Read(result);
        return new ExperimentSettings(
            rounds,
            Against(result.GetValue(_against)!),
            Cpus(result.GetValue(_serverCpus), "--server-cpus"),
            Cpus(result.GetValue(_clientCpus), "--client-cpus"),
            Folder(result.GetValue(_report)!),
            earlier,
            conditions);
    }

    private static string[]? Against(string[] names) => names switch
    {
        [] => null,
        [None] => [],
        _ => names.SelectMany(static name => name.Split(',')).Distinct(StringComparer.Ordinal).Select(Subject).ToArray(),
    };

    private static string Subject(string name)
    {
        if (name == Subjects.NativeLinuxOption)
        {
            return LinuxTransport.IsSupported
                ? Subjects.NativeLinux
                : throw new UsageException($"--against {Subjects.NativeLinuxOption} needs 64-bit Linux.");
        }

        return Subjects.IsBaseline(name)
            ? name
            : throw new UsageException(
                $"--against is '{name}'; allowed is {string.Join(", ", Subjects.All)}, {Subjects.NativeLinuxOption} or {None}.");
    }

    private static string? Cpus(string? cpus, string option)
    {
        if (cpus is not null && !ServerProcess.CanPin)
        {
            throw new UsageException($"{option} needs Linux with the program taskset.");
        }

        return cpus is null ? null : LoadOptions.CpuList(cpus, option);
    }

    private static string Folder(string path)
    {
        try
        {
            return Directory.CreateDirectory(path).FullName;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"--report: cannot create the folder '{path}': {e.Message}");
        }
    }
}
