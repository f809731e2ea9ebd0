using System.Globalization;
using PlayChat.Benchmark.Servers;
using static System.FormattableString;

namespace PlayChat.Benchmark.Experiments.ConnectionRamp;

/// <summary>The cost of connections that send little.</summary>
internal static class ConnectionRampExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "connection-ramp";

    private static readonly Figure[] s_figures =
    [
        new("memory_bytes_per_connection", "memory a connection", "B", "memory_bytes_per_connection", Better.Lower),
        new("cpu_percent_held", "server CPU when all are there", "%", "cpu_percent_held", Better.Lower),
        new("accepted", "accepted", "", "accepted", Better.Higher),
        new("cpu_percent_average", "server CPU, average", "%", "cpu_percent_average", Better.Lower),
        new("cpu_percent_max", "server CPU, maximum", "%", "cpu_percent_max", Better.Lower),
        new("rtt_p99_us", "p99 of the answers", "µs", "rtt_us.p99", Better.Lower),
    ];

    private static readonly Chart[] s_charts =
    [
        new(
            ChartKind.Time,
            "Connections, the server's CPU and memory over time",
            ["connections", "server_cpu_percent", "server_working_set_bytes"]),
        new(ChartKind.Cases, "Memory a connection", ["memory_bytes_per_connection"]),
        new(ChartKind.Cases, "Server's CPU when all are there", ["cpu_percent_held"]),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="settings">The settings that every experiment has.</param>
    public static Experiment Create(ConnectionRampParameters parameters, ExperimentSettings settings)
    {
        IReadOnlyList<string> subjects = Subjects.Serving(
            settings.Subjects(parameters.Native ? [Subjects.NativeLinux, .. Subjects.Baselines] : [.. Subjects.Baselines]), "echo");
        ExperimentRun[] runs =
        [
            .. subjects.Select(subject => Run(subject, parameters.Connections, parameters.TimeScale, parameters)),
            .. parameters.OneProcessor && CanChooseProcessors(settings) ? [OneProcessor(parameters)] : Array.Empty<ExperimentRun>(),
            // With more connections the ramp is faster, so that every case takes the same time.
            .. parameters.More.Select(more => Run(
                ExperimentRun.Ours, more, parameters.TimeScale * Math.Max(1, (double)more / parameters.Connections), parameters)),
        ];
        return new Experiment(
            Name,
            "Connection ramp",
            "Three servers in C++Builder (TServerSocket, Indy, IOCP), on a machine of their time.",
            Invariant($"Every {parameters.StepInterval} the load adds {parameters.Step} connections, {parameters.TimeScale:0.###} times ")
            + "as fast as that; the cases of PlayChat alone are faster still, so that they take the same time. "
            + Invariant($"Each connection sends {parameters.Bytes} bytes at once and then every {parameters.Every} at a phase of its own, ")
            + "and receives them back. A connection counts as accepted when its first message has returned. "
            + "During the ramp the CPU time is that of accepting connections, and a fast ramp has more of it; "
            + "\"when all are there\" is the time after the ramp.",
            runs,
            s_figures,
            Published(parameters.Connections),
            s_charts);
    }

    // With processors given for all runs, or only one, there is nothing to compare.
    private static bool CanChooseProcessors(ExperimentSettings settings) =>
        settings is { ServerCpus: null, ClientCpus: null } && ServerProcess.CanPin && Environment.ProcessorCount > 1;

    private static ExperimentRun OneProcessor(ConnectionRampParameters parameters)
    {
        ExperimentRun run = Run(ExperimentRun.Ours, parameters.Connections, parameters.TimeScale, parameters);
        return run with { Case = $"{run.Case}, server on one processor", Arguments = [.. run.Arguments, "--server-cores", "0"] };
    }

    private static ExperimentRun Run(string subject, int connections, double timeScale, ConnectionRampParameters parameters) => new(
        subject,
        Case(connections),
        [
            "ramp",
            "--connections", Invariant($"{connections}"),
            "--ramp", Invariant($"{parameters.Step}"),
            "--ramp-interval", parameters.StepInterval,
            "--time-scale", Invariant($"{timeScale:0.###}"),
            "--size", Invariant($"{parameters.Bytes}"), "--every", parameters.Every,
            "--duration", Invariant($"{parameters.Hold}"), "--interval", "0.5", .. Subjects.Arguments(subject),
        ]);

    private static string Case(int connections) => connections.ToString("N0", CultureInfo.InvariantCulture);

    private static PublishedFigure[] Published(int connections)
    {
        string all = Case(connections);
        return
        [
            new("TServerSocket", all, "accepted", 1_720),
            new("TServerSocket", all, "cpu_percent_average", 14),
            new("TServerSocket", all, "cpu_percent_max", 31),
            new("Indy", all, "accepted", 2_120),
            new("Indy", all, "cpu_percent_average", 16),
            new("Indy", all, "cpu_percent_max", 28),
            new("IOCP", all, "accepted", 3_000),
            new("IOCP", all, "cpu_percent_average", 1.7),
            new("IOCP", all, "cpu_percent_max", 6),
            new("IOCP", Case(5_000), "accepted", 5_000),
            new("IOCP", Case(5_000), "cpu_percent_average", 20),
        ];
    }
}
