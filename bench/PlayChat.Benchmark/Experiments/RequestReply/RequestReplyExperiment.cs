using System.Globalization;

namespace PlayChat.Benchmark.Experiments.RequestReply;

/// <summary>Requests and their answers, with correlation where the server has it.</summary>
internal static class RequestReplyExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "request-reply";

    /// <summary>
    /// PlayChat's chat protocol, where answers name their request. No baseline has that, so all are compared in the length4 framing.
    /// </summary>
    public const string WithCorrelation = "PlayChat, packets";

    private const string Theirs = "PlayHouse (.NET 8)";

    private static readonly RequestReplyCase s_publishedMany = new(1000, 200, 8);
    private static readonly RequestReplyCase s_publishedFew = new(10, 6, 64);

    private static readonly Figure[] s_figures =
    [
        new("messages_per_s", "throughput", "msg/s", "messages_per_s", Better.Higher),
        new("mean_us", "mean RTT", "µs", "rtt_us.mean", Better.Lower),
        new("p50_us", "p50", "µs", "rtt_us.p50", Better.Lower),
        new("p99_us", "p99", "µs", "rtt_us.p99", Better.Lower),
        new("cpu_us_per_message", "CPU a message", "µs", "server.cpu_us_per_message", Better.Lower),
        new("peak_working_set_mb", "server memory", "MB", "server.peak_working_set_mb", Better.Lower),
        new("gc0", "gen 0", "", "server.gc0", Better.Lower),
        new("gc1", "gen 1", "", "server.gc1", Better.Lower),
        new("gc2", "gen 2", "", "server.gc2", Better.Lower),
        new("gc_pause_ms", "GC pause", "ms", "server.gc_pause_ms", Better.Lower),
        new("allocated_bytes_per_message", "allocated a message", "B", "server.allocated_bytes_per_message", Better.Lower),
        new("incomplete", "incomplete", "", "incomplete", Better.Lower),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="settings">The settings that every experiment has.</param>
    public static Experiment Create(RequestReplyParameters parameters, ExperimentSettings settings) => new(
        Name,
        "Request and reply",
        "A .NET 8 game server framework, measured by its author under WSL2; the machine is not told.",
        "Each connection keeps its window of requests outstanding, and every answer is compared with its request. "
        + $"{WithCorrelation} is C_ECHO_REQ of the chat protocol after a login: its answers name their request by id, as the "
        + "published ones did. The other rows are length(4) and a body on both sides, with answers in order. With CCU 1000 "
        + "there are 200,000 requests outstanding. Their RTT is that number divided by the throughput, so a mean of seconds means that "
        + "the throughput is low.",
        parameters.Cases.SelectMany(load => Runs(parameters, load, settings.Subjects([.. Subjects.Baselines]))).ToArray(),
        s_figures,
        [
            new PublishedFigure(Theirs, s_publishedMany.Name, "messages_per_s", 121_367),
            new PublishedFigure(Theirs, s_publishedMany.Name, "mean_us", 1_093_000),
            new PublishedFigure(Theirs, s_publishedMany.Name, "p99_us", 2_954_000),
            new PublishedFigure(Theirs, s_publishedMany.Name, "peak_working_set_mb", 1200),
            new PublishedFigure(Theirs, s_publishedFew.Name, "messages_per_s", 237_580),
            new PublishedFigure(Theirs, s_publishedFew.Name, "mean_us", 250),
            new PublishedFigure(Theirs, s_publishedFew.Name, "p99_us", 1070),
        ],
        [
            new Chart(ChartKind.Cases, "Throughput", ["messages_per_s"]),
            new Chart(ChartKind.Cases, "Server memory", ["peak_working_set_mb"]),
            new Chart(ChartKind.Percentiles, "Latency", ["mean_us", "p50_us", "p99_us"], Logarithmic: true),
        ]);

    private static IEnumerable<ExperimentRun> Runs(RequestReplyParameters parameters, RequestReplyCase load, IReadOnlyList<string> subjects)
    {
        string options = string.Create(
            CultureInfo.InvariantCulture,
            $"echo --ccu {load.Ccu} --inflight {load.Inflight} --size {load.Size} "
            + $"--warmup {parameters.Warmup} --duration {parameters.Duration} --drain-timeout {parameters.DrainTimeout}");
        foreach (string subject in subjects.Where(subject => load.IsForAll || Subjects.IsOurs(subject)))
        {
            yield return new ExperimentRun(subject, load.Name, [.. options.Split(' '), .. Subjects.Arguments(subject)]);
            if (subject == ExperimentRun.Ours)
            {
                yield return new ExperimentRun(WithCorrelation, load.Name, [.. options.Split(' '), "--framing", "packet"]);
            }
        }
    }
}
