using System.Globalization;

namespace PlayChat.Benchmark.Experiments.RequestReply;

/// <summary>Requests and their answers, with correlation where the server has it.</summary>
internal static class RequestReplyExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "request-reply";

    /// <summary>The same packets, with each answer awaited by the library's RequestAsync, which is what was published.</summary>
    public const string Awaited = "PlayChat, RequestAsync";

    private const string Theirs = "PlayHouse (.NET 8)";

    private static readonly RequestReplyCase s_publishedMany = new(1000, 200, 8);
    private static readonly RequestReplyCase s_publishedFew = new(10, 6, 64);

    private static readonly Figure[] s_figures =
    [
        new("messages_per_s", "throughput", "msg/s", "messages_per_s", Better.Higher),
        new("mean_us", "mean RTT", "µs", "rtt_us.mean", Better.Lower),
        new("p50_us", "p50", "µs", "rtt_us.p50", Better.Lower),
        new("p95_us", "p95", "µs", "rtt_us.p95", Better.Lower),
        new("p99_us", "p99", "µs", "rtt_us.p99", Better.Lower),
        new("cpu_us_per_message", "CPU a message", "µs", "server.cpu_us_per_message", Better.Lower),
        new("peak_working_set_mb", "server memory", "MB", "server.peak_working_set_mb", Better.Lower),
        new("gc0", "gen 0", "", "server.gc0", Better.Lower),
        new("gc1", "gen 1", "", "server.gc1", Better.Lower),
        new("gc2", "gen 2", "", "server.gc2", Better.Lower),
        new("gc_pause_ms", "GC pause", "ms", "server.gc_pause_ms", Better.Lower),
        new("allocated_bytes_per_message", "allocated a message", "B", "server.allocated_bytes_per_message", Better.Lower),
        new("server_messages_per_s", "server's throughput", "msg/s", "server.messages_per_s", Better.Higher),
        new("server_mb_per_s", "bytes received by the server", "MB/s", "server.mb_received_per_s", Better.Higher),
        new("server_mean_us", "server's latency, mean", "µs", "server.latency_us.mean", Better.Lower),
        new("server_p50_us", "server's latency, p50", "µs", "server.latency_us.p50", Better.Lower),
        new("server_p95_us", "server's latency, p95", "µs", "server.latency_us.p95", Better.Lower),
        new("server_p99_us", "server's latency, p99", "µs", "server.latency_us.p99", Better.Lower),
        new("duration_s", "measured", "s", "duration_s", Better.Higher),
        new("messages", "messages", "", "messages", Better.Higher),
        new("client_peak_working_set_mb", "client memory", "MB", "client.peak_working_set_mb", Better.Lower),
        new("client_gc0", "client's gen 0", "", "client.gc0", Better.Lower),
        new("client_gc1", "client's gen 1", "", "client.gc1", Better.Lower),
        new("client_gc2", "client's gen 2", "", "client.gc2", Better.Lower),
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
        + $"{Subjects.Packets} is C_ECHO_REQ of the chat protocol after a login: its answers name their request by id, as the "
        + $"published ones did. {Awaited} sends the same, and a task awaits each answer, as in the published client. "
        + $"{Subjects.KestrelPackets} does the same work on Kestrel and is compared with {Subjects.Packets}. "
        + "The other rows are length(4) and a body on both sides, with answers in order. With CCU 1000 there are "
        + "200,000 requests outstanding. Their RTT is that number divided by the throughput, so a mean of seconds means that "
        + "the throughput is low.",
        parameters.Cases.SelectMany(load => Runs(parameters, load, settings.Subjects([.. Subjects.Baselines]))).ToArray(),
        s_figures,
        Published(),
        [
            new Chart(ChartKind.Cases, "Throughput", ["messages_per_s"]),
            new Chart(ChartKind.Cases, "Server memory", ["peak_working_set_mb"]),
            new Chart(ChartKind.Percentiles, "Latency", ["mean_us", "p50_us", "p99_us"], Logarithmic: true),
        ]);

    private static PublishedFigure[] Published()
    {
        IEnumerable<PublishedFigure> Of(RequestReplyCase load, (string Key, double Value)[] figures) =>
            figures.Select(figure => new PublishedFigure(Theirs, load.Name, figure.Key, figure.Value));
        return
        [
            .. Of(s_publishedMany, [
                ("messages_per_s", 126_320), ("mean_us", 1_093_000), ("p50_us", 1_113_000), ("p95_us", 2_615_000), ("p99_us", 2_954_000),
                ("client_peak_working_set_mb", 2_874), ("client_gc0", 189), ("client_gc1", 186), ("client_gc2", 2),
                ("server_messages_per_s", 121_367), ("server_mb_per_s", 4.17), ("duration_s", 10), ("messages", 1_929_184),
                ("server_mean_us", 0), ("server_p50_us", 0), ("server_p95_us", 0), ("server_p99_us", 10),
                ("peak_working_set_mb", 1_214), ("gc0", 79), ("gc1", 18), ("gc2", 3),
            ]),
            .. Of(s_publishedFew, [
                ("messages_per_s", 250_323), ("mean_us", 250), ("p50_us", 210), ("p95_us", 500), ("p99_us", 1_070),
                ("client_peak_working_set_mb", 3_818), ("client_gc0", 254), ("client_gc1", 73), ("client_gc2", 6),
                ("server_messages_per_s", 237_580), ("server_mb_per_s", 33.53), ("duration_s", 5.06), ("messages", 2_390_403),
                ("server_mean_us", 0), ("server_p50_us", 0), ("server_p95_us", 0), ("server_p99_us", 0),
                ("peak_working_set_mb", 1_723), ("gc0", 110), ("gc1", 4), ("gc2", 3),
            ]),
        ];
    }

    private static IEnumerable<ExperimentRun> Runs(RequestReplyParameters parameters, RequestReplyCase load, IReadOnlyList<string> subjects)
    {
        string options = string.Create(
            CultureInfo.InvariantCulture,
            $"echo --ccu {load.Ccu} --inflight {load.Inflight} --size {load.Size} "
            + $"--warmup {parameters.Warmup} --max-warmup {parameters.MaxWarmup} "
            + $"--duration {parameters.Duration} --drain-timeout {parameters.DrainTimeout}");
        foreach (string subject in subjects.Where(subject => load.IsForAll || Subjects.IsOurs(subject)))
        {
            if (Subjects.Serving([subject], "echo").Count > 0)
            {
                yield return new ExperimentRun(subject, load.Name, [.. options.Split(' '), .. Subjects.Arguments(subject)]);
            }

            if (Subjects.IsBaseline(subject) && Subjects.Serving([subject], "chat").Count > 0)
            {
                // A baseline without echo has a protocol of its own, whose answers are awaited.
                string framing = Subjects.Serving([subject], "echo").Count > 0 ? "packet" : "request";
                yield return new ExperimentRun(
                    subject + Subjects.PacketsOf, load.Name, [.. options.Split(' '), "--framing", framing, .. Subjects.Arguments(subject)]);
            }

            if (subject == ExperimentRun.Ours)
            {
                yield return new ExperimentRun(Subjects.Packets, load.Name, [.. options.Split(' '), "--framing", "packet"]);
                yield return new ExperimentRun(Awaited, load.Name, [.. options.Split(' '), "--framing", "request"]);
            }
        }
    }
}
