using System.Globalization;
using System.Text;
using PlayChat.Benchmark.Machine;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Experiments.Stream;

/// <summary>Frames of several sizes, a window of them on each of many connections.</summary>
internal static class StreamExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "stream";

    private const double MaxIncompleteRatio = 0.01; // as published

    private static readonly Figure[] s_figures =
    [
        new("messages_per_s", "throughput", "msg/s", "messages_per_s", Better.Higher),
        new("p50_us", "p50", "µs", "rtt_us.p50", Better.Lower),
        new("p95_us", "p95", "µs", "rtt_us.p95", Better.Lower),
        new("p99_us", "p99", "µs", "rtt_us.p99", Better.Lower),
        new("cpu_us_per_message", "CPU a message", "µs", "server.cpu_us_per_message", Better.Lower),
        new("peak_working_set_mb", "server memory", "MB", "server.peak_working_set_mb", Better.Lower),
        new("incomplete_ratio", "incomplete", "", "incomplete_ratio", Better.Lower),
        new("drain_timeout", "drain timed out", "", "drain_timeout", Better.Lower),
        new("gating_violation", "over the window", "", "gating_violation", Better.Lower),
    ];

    private static readonly (int Size, double Zlink, double CppServer)[] s_published =
    [
        (64, 10_998_858, 4_758_501),
        (256, 8_744_193, 4_406_904),
        (1024, 4_750_371, 4_174_261),
        (4096, 1_810_347, 1_829_124),
        (65_536, 106_000, 79_846),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="settings">The settings that every experiment has.</param>
    public static Experiment Create(StreamParameters parameters, ExperimentSettings settings) =>
        Create(parameters, Subjects.Serving(
            settings.Subjects(LinuxTransport.IsSupported ? [Subjects.NativeLinux, .. Subjects.Baselines] : [.. Subjects.Baselines]),
            "echo"));

    private static Experiment Create(StreamParameters parameters, IReadOnlyList<string> subjects) => new(
        Name,
        "Stream: frames of every size",
        "zlink and CppServer, two C++ libraries, compared by the author of the first; machine not told.",
        About(parameters),
        [
            .. parameters.Sizes.SelectMany(size => subjects
                .Where(subject => IsMeasured(parameters, subject, size))
                .Select(subject => Run(parameters, subject, size))),
            .. parameters.Threads.Select(threads => ThreadsRun(parameters, threads)),
        ],
        s_figures,
        s_published.SelectMany(static row => (PublishedFigure[])
        [
            new("zlink", SizeText.Format(row.Size), "messages_per_s", row.Zlink),
            new("CppServer", SizeText.Format(row.Size), "messages_per_s", row.CppServer),
        ]).ToArray(),
        [
            new Chart(ChartKind.Cases, "Throughput by size", ["messages_per_s"], Logarithmic: true),
            new Chart(ChartKind.Cases, "Server CPU a message", ["cpu_us_per_message"], Logarithmic: true),
            new Chart(ChartKind.Percentiles, "Latency percentiles", ["p50_us", "p95_us", "p99_us"], Logarithmic: true),
        ])
    {
        Sweeps = parameters.Threads.Count < 2 ? [] :
        [
            new Sweep(
                $"threads, {SizeText.Format(parameters.Sizes[0])}",
                s_figures[0].Key,
                parameters.Threads.Select(threads => (threads, ThreadsCase(parameters, threads))).ToArray()),
        ],
    };

    private static string About(StreamParameters parameters)
    {
        var invariant = CultureInfo.InvariantCulture;
        var text = new StringBuilder(string.Create(
            invariant,
            $"{parameters.Ccu:N0} connections keep {parameters.Inflight} frames each outstanding, length(4) and a body, and the "
            + $"server sends each back. The window is never exceeded (over the window: 0), at most 1 % may be without an answer at the "
            + $"end, and the drain must not time out. "));
        if (parameters.Ccu != StreamParameters.Full.Ccu)
        {
            text.Append(invariant, $"Published were {StreamParameters.Full.Ccu:N0} connections. ");
        }

        string[] fewer = parameters.Sizes
            .Where(size => parameters.CcuOf(size) < parameters.Ccu)
            .Select(size => string.Create(invariant, $"{parameters.CcuOf(size):N0} with bodies of {SizeText.Format(size)}"))
            .ToArray();
        if (fewer.Length > 0)
        {
            text.Append(invariant, $"Large frames have fewer connections, so that at most {parameters.FewerConnectionsOver >> 20} MB are ");
            text.Append(invariant, $"outstanding and a round trip is far shorter than the measurement: {string.Join(", ", fewer)}. ");
        }

        string[] smaller = parameters.Sizes
            .Where(size => parameters.InflightOf(size) < parameters.Inflight)
            .Select(size => string.Create(invariant, $"{parameters.InflightOf(size)} with bodies of {SizeText.Format(size)}"))
            .ToArray();
        if (smaller.Length > 0)
        {
            text.Append(invariant, $"At most {parameters.MaxOutstandingBytes / 1e9:0.#} GB are outstanding in all, ");
            text.Append(invariant, $"so the window is smaller: {string.Join(", ", smaller)}. ");
        }

        if (parameters.Threads.Count > 0)
        {
            text.Append("In the cases with a number of threads the server has that many workers, and the load as many threads. ");
        }

        text.Append("Where a window is full all the time, latency is what is outstanding divided by the throughput.");
        if (Backlog.Notice(parameters.Backlog, Backlog.Read()) is { } notice)
        {
            text.Append(' ').Append(notice);
        }

        return text.ToString();
    }

    private static bool IsMeasured(StreamParameters parameters, string subject, int size) =>
        !Subjects.IsBaseline(subject) || parameters.BaselineSizes.Contains(size);

    private static string ThreadsCase(StreamParameters parameters, int threads) => string.Create(
        CultureInfo.InvariantCulture, $"{SizeText.Format(parameters.Sizes[0])}, {threads} thread{(threads == 1 ? string.Empty : "s")}");

    private static ExperimentRun ThreadsRun(StreamParameters parameters, int threads)
    {
        ExperimentRun run = Run(parameters, ExperimentRun.Ours, parameters.Sizes[0]);
        string[] options = string.Create(CultureInfo.InvariantCulture, $"--server Workers={threads} --load-threads {threads}").Split(' ');
        return run with { Case = ThreadsCase(parameters, threads), Arguments = [.. run.Arguments, .. options] };
    }

    private static ExperimentRun Run(StreamParameters parameters, string subject, int size)
    {
        // The baselines always listen with the published backlog.
        string[] backlog = Subjects.IsBaseline(subject)
            ? []
            : ["--server", string.Create(CultureInfo.InvariantCulture, $"PlayChat:Transport:Backlog={parameters.Backlog}")];
        string options = string.Create(
            CultureInfo.InvariantCulture,
            $"echo --ccu {parameters.CcuOf(size)} --inflight {parameters.InflightOf(size)} --size {size} "
            + $"--warmup {parameters.Warmup} --max-warmup {parameters.MaxWarmup} "
            + $"--duration {parameters.Duration} --drain-timeout {parameters.DrainTimeout} "
            + $"--connect-concurrency {parameters.ConnectConcurrency} --sample {parameters.SampleEvery} "
            + $"--max-incomplete-ratio {MaxIncompleteRatio}");
        return new ExperimentRun(subject, SizeText.Format(size), [.. options.Split(' '), .. Subjects.Arguments(subject), .. backlog]);
    }
}
