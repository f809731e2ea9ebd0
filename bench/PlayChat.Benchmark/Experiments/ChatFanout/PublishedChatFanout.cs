namespace PlayChat.Benchmark.Experiments.ChatFanout;

/// <summary>What the author of a C++/IOCP chat server published of 250 s with 500 clients in 10 rooms on an i5-14400F.</summary>
internal static class PublishedChatFanout
{
    private const string Original = "C++/IOCP";

    private static readonly Figure[] s_columns =
    [
        new("at_s", "s", "", "at_s", Better.Higher),
        new("io_receives_per_s", "io r/s", "", "server.receives_per_s", Better.Lower),
        new("io_sends_per_s", "io s/s", "", "server.sends_per_s", Better.Lower),
        new("app_in_per_s", "app in/s", "", "server.messages_per_s", Better.Higher),
        // A broadcast is one message that goes out, however many members there are.
        new("app_out_per_s", "app out/s", "", "sent_per_s", Better.Higher),
        new("bytes_received_per_s", "bytes r/s", "", "server.bytes_received_per_s", Better.Lower),
        new("bytes_sent_per_s", "bytes s/s", "", "server.bytes_sent_per_s", Better.Lower),
        new("deliveries_per_s", "deliveries/s", "", "server.deliveries_per_s", Better.Higher),
        new("mean_us", "avg µs", "", "latency_us.mean", Better.Lower),
        new("p50_us", "p50", "", "latency_us.p50", Better.Lower),
        new("p90_us", "p90", "", "latency_us.p90", Better.Lower),
        new("p99_us", "p99", "", "latency_us.p99", Better.Lower),
        new("jobs_enqueued_per_s", "jobs e/s", "", "server.jobs_enqueued_per_s", Better.Higher),
        new("jobs_per_s", "x/s", "", "server.jobs_per_s", Better.Higher),
        new("job_queue_peak", "q-peak", "", "server.job_queue_peak", Better.Lower),
        new("pool_in_use", "mpool in use", "", "server.pool_in_use", Better.Lower),
        new("pool_peak", "peak", "", "server.pool_peak", Better.Lower),
        new("pool_new_per_s", "alloc/s", "", "server.pool_new_per_s", Better.Lower),
        new("pool_returns_per_s", "free/s", "", "server.pool_returns_per_s", Better.Lower),
    ];

    private static readonly double[][] s_rows =
    [
        [
            10, 5_041, 117_849, 5_041, 5_041, 106_158, 11_660_834, 252_961,
            388, 206, 1_086, 6_733,
            10_082, 9_794, 142, 69_930, 70_040, 120, 122_892,
        ],
        [
            70, 5_044, 120_346, 5_044, 5_044, 105_789, 11_891_003, 253_144,
            460, 203, 985, 4_564,
            10_088, 9_934, 5_135, 71_106, 71_222, 1, 125_390,
        ],
        [
            130, 5_110, 114_104, 5_110, 5_110, 107_355, 12_057_805, 256_510,
            459, 188, 1_014, 4_812,
            10_220, 9_934, 96, 71_154, 71_292, 0, 119_214,
        ],
        [
            190, 5_096, 80_294, 5_096, 5_096, 106_625, 12_000_661, 255_766,
            458, 86, 1_400, 5_740,
            10_192, 9_934, 96, 71_196, 71_310, 0, 85_390,
        ],
        [
            250, 5_045, 133_973, 5_045, 5_045, 106_339, 11_920_759, 253_195,
            458, 278, 964, 4_445,
            10_090, 9_934, 150, 71_201, 71_301, 0, 139_018,
        ],
    ];

    /// <summary>The figures of the whole run.</summary>
    /// <param name="chat">The case they belong to.</param>
    public static PublishedFigure[] Figures(string chat)
    {
        PublishedFigure Figure(string key, double value) => new(Original, chat, key, value);
        return
        [
            Figure("messages_per_s", 4_948.37),
            Figure("deliveries_per_s", 248_153),
            Figure("fan_out", 49.75),
            Figure("bytes_sent_per_s", 11_660_000),
            Figure("deliveries_per_send", 2.567),
            Figure("mean_us", 456),
            Figure("p50_us", 142),
            Figure("p90_us", 1_163),
            Figure("p99_us", 5_569),
            Figure("late", 0),
            Figure("le_100us", 205_707),
            Figure("le_500us", 277_936),
            Figure("le_1ms", 126_558),
            Figure("le_5ms", 61_255),
            Figure("gt_50ms", 0),
            Figure("io_sends_per_s", 96_663),
            Figure("jobs_enqueued_per_s", 9_889.28),
            Figure("job_queue_per_s", 9_888.97),
            Figure("job_queue_peak", 110.21),
            Figure("send_buffers_in_use", 15.82),
            Figure("send_buffers_peak", 18.28),
            Figure("send_buffer_pushes_per_s", 39.06),
            Figure("send_buffer_pops_per_s", 39.12),
            Figure("pool_in_use", 69_631.66),
            Figure("pool_peak", 69_742.92),
            Figure("pool_new_per_s", 274.86),
            Figure("pool_returns_per_s", 101_641.84),
            // The publisher's formula works on the interval rows; the two rates above give the second figure.
            Figure("pool_reuse_percent", 98.97),
            Figure("pool_reuse_of_totals_percent", 99.73),
        ];
    }

    /// <summary>Its rows at five moments.</summary>
    /// <param name="chat">The case they belong to.</param>
    public static IntervalTable Intervals(string chat) =>
        new("Five moments of a run", chat, s_columns, Original, s_rows);
}
