using static System.FormattableString;

namespace PlayChat.Benchmark.Experiments.ChatFanout;

/// <summary>Players in rooms, and the most deliveries per second.</summary>
internal static class ChatFanoutExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "chat-fanout";

    private const string Capacity = "capacity";

    // Shares of a count depend on the length of the run, so neither more nor fewer is better by itself; over 50 ms fewer is.
    private static readonly Figure[] s_buckets =
    [
        new("le_100us", "deliveries up to 100 µs", "", "latency_buckets.le_100us", Better.Higher),
        new("le_500us", "up to 500 µs", "", "latency_buckets.le_500us", Better.Higher),
        new("le_1ms", "up to 1 ms", "", "latency_buckets.le_1ms", Better.Higher),
        new("le_5ms", "up to 5 ms", "", "latency_buckets.le_5ms", Better.Lower),
        new("le_10ms", "up to 10 ms", "", "latency_buckets.le_10ms", Better.Lower),
        new("le_50ms", "up to 50 ms", "", "latency_buckets.le_50ms", Better.Lower),
        new("gt_50ms", "over 50 ms", "", "latency_buckets.gt_50ms", Better.Lower),
    ];

    private static readonly Chart[] s_charts =
    [
        new(
            ChartKind.Percentiles,
            "Latency from planned sending to each receiver",
            ["p50_us", "p90_us", "p99_us", "p999_us"],
            Logarithmic: true),
        new(ChartKind.Curve, "Capacity search: p99 over the rate that is offered", ["offered_messages_per_s", "p99_us"], Logarithmic: true),
        new(ChartKind.Cases, "Server's CPU time a delivery", ["server_cpu_us_per_delivery"]),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="settings">The settings that every experiment has.</param>
    public static Experiment Create(ChatFanoutParameters parameters, ExperimentSettings settings)
    {
        IReadOnlyList<string> subjects = settings.Subjects([Subjects.NativeLinux, .. Subjects.Baselines]);
        string[] crowd = ["--clients", Invariant($"{parameters.Clients}"), "--rooms", Invariant($"{parameters.Rooms}")];
        string[] rate =
        [
            "--rps", Invariant($"{parameters.MessagesPerSecond}"),
            "--mix", parameters.Mix, "--late", parameters.Late, "--max-lag", parameters.MaxLag,
        ];
        string[] times = ["--warmup", Invariant($"{parameters.Warmup}"), "--duration", Invariant($"{parameters.Duration}")];
        string chat = Case(parameters);
        string[] chatSubjects = subjects.Where(static subject => !Subjects.IsBaseline(subject)).ToArray();
        ExperimentRun[] runs =
        [
            .. chatSubjects.Select(subject => new ExperimentRun(
                subject, chat, ["chat", .. crowd, .. rate, .. times, .. Subjects.Arguments(subject)])),
            // Limits that the run reaches. With the default the kernel alone buffers 2 MB per connection.
            new(
                ExperimentRun.Ours,
                Invariant($"and {parameters.StalledReaders} stalled readers"),
                [
                    "chat", .. crowd, .. rate, .. times, "--stalled-readers", Invariant($"{parameters.StalledReaders}"),
                    "--server", "PlayChat:Transport:SendBufferBytes=65536", "--server", "PlayChat:Connections:MaxOutboundBytes=262144",
                ]),
            .. Subjects.Serving(subjects, "broadcast").Select(subject => new ExperimentRun(
                subject,
                "the same without chat",
                [
                    "broadcast", .. crowd, .. rate, "--warmup", Invariant($"{Math.Min(parameters.Warmup, 2)}"),
                    "--duration", Invariant($"{parameters.BroadcastDuration}"), .. Subjects.Arguments(subject),
                ])),
            new(
                ExperimentRun.Ours,
                Capacity,
                [
                    "capacity", .. crowd, .. rate,
                    "--p99-limit", parameters.P99Limit,
                    "--precision", Invariant($"{parameters.Precision}"),
                    "--warmup", Invariant($"{Math.Min(parameters.Warmup, parameters.StepDuration / 4)}"),
                    "--duration", Invariant($"{parameters.StepDuration}"),
                    "--drain-timeout", "3",
                ]),
        ];
        return new Experiment(
            Name,
            "Chat fan-out",
            "A C++/IOCP chat server with a client of its own, on an i5-14400F, 250 s.",
            "Players in rooms talk at a fixed rate, whatever the server does. Each message goes to all members of its room, each receiver "
            + "checks each delivery, and latency counts from the planned time of sending. "
            + "The baselines know no chat, so they are compared by the same load in plain frames (length, sender, payload). "
            + $"The capacity search raises the rate until the p99 is over {parameters.P99Limit}, a message is lost, or the load is late.",
            runs,
            Figures(parameters.Late),
            PublishedChatFanout.Figures(Case(ChatFanoutParameters.Full)),
            s_charts)
        {
            Intervals = PublishedChatFanout.Intervals(Case(ChatFanoutParameters.Full)),
        };
    }

    private static Figure[] Figures(string late) =>
    [
        new("p99_us", "p99", "µs", "latency_us.p99", Better.Lower),
        new("deliveries_per_s", "deliveries", "/s", "deliveries_per_s", Better.Higher),
        new("server_cpu_us_per_delivery", "server CPU a delivery", "µs", "server.cpu_us_per_delivery", Better.Lower),
        new("p99_at_capacity_us", "p99 at capacity", "µs", "p99_at_capacity_us", Better.Lower),
        new("lost", "lost", "", "lost", Better.Lower),
        new("expected", "expected", "", "fanout.expected", Better.Higher),
        new("delivered", "delivered", "", "fanout.delivered", Better.Higher),
        new("twice", "twice", "", "fanout.twice", Better.Lower),
        new("out_of_order", "out of order", "", "fanout.out_of_order", Better.Lower),
        new("messages_per_s", "messages in", "/s", "app_in_per_s", Better.Higher),
        new("fan_out", "fan-out", "", "fan_out", Better.Higher),
        new("bytes_sent_per_s", "bytes out", "B/s", "server.bytes_sent_per_s", Better.Higher),
        new("deliveries_per_send", "deliveries a send", "", "deliveries_per_io", Better.Higher),
        new("mean_us", "mean", "µs", "latency_us.mean", Better.Lower),
        new("p50_us", "p50", "µs", "latency_us.p50", Better.Lower),
        new("p90_us", "p90", "µs", "latency_us.p90", Better.Lower),
        new("p999_us", "p99.9", "µs", "latency_us.p999", Better.Lower),
        new("late", $"over {late}", "", "fanout.late", Better.Lower),
        new("last_member_p99_us", "p99 to the last member", "µs", "fanout.last_member_us.p99", Better.Lower),
        new("slowest_by_median_room", "slowest room's p99 by the median's", "×", "fanout.slowest_by_median", Better.Lower),
        new("stalled_closed", "stalled readers closed", "", "silent.reset", Better.Higher),
        .. s_buckets,
        new("io_sends_per_s", "send operations", "/s", "server.sends_per_s", Better.Lower),
        new("jobs_enqueued_per_s", "room jobs queued", "/s", "server.jobs_enqueued_per_s", Better.Higher),
        new("job_queue_per_s", "room jobs run", "/s", "server.jobs_per_s", Better.Higher),
        new("job_queue_peak", "room queue's peak", "", "server.job_queue_peak", Better.Lower),
        new("send_buffers_in_use", "send buffers in use", "", "server.send_buffers_in_use", Better.Lower),
        new("send_buffers_peak", "send buffers, peak", "", "server.send_buffers_peak", Better.Lower),
        new("send_buffer_pushes_per_s", "send buffers queued", "/s", "server.send_buffer_pushes_per_s", Better.Lower),
        new("send_buffer_pops_per_s", "send buffers taken", "/s", "server.send_buffer_pops_per_s", Better.Lower),
        new("pool_in_use", "pooled buffers in use", "", "server.pool_in_use", Better.Lower),
        new("pool_peak", "pooled buffers, peak", "", "server.pool_peak", Better.Lower),
        new("pool_new_per_s", "buffers allocated", "/s", "server.pool_new_per_s", Better.Lower),
        new("pool_returns_per_s", "buffers freed to the pool", "/s", "server.pool_returns_per_s", Better.Lower),
        new("pool_reuse_percent", "buffer reuse", "%", "server.pool_reuse_percent", Better.Higher),
        new("pool_reuse_of_totals_percent", "buffer reuse, from the two rates above", "%", "server.pool_reuse_percent", Better.Higher),
        new("peak_working_set_mb", "server memory", "MB", "server.peak_working_set_mb", Better.Lower),
    ];

    private static string Case(ChatFanoutParameters parameters) => Invariant($"{parameters.Clients} clients in {parameters.Rooms} rooms");
}
