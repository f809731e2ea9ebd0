using System.Globalization;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Tests.Reports;

/// <summary>
/// The figures that the five sources published and this repository has, as they wrote them, are in results.json and in the page. Two
/// groups of figures have no source here and are in neither: the send buffers' columns of the C++ server's five moments, and what the
/// stream guide tells beside its table of sizes.
/// </summary>
public sealed class PublishedFiguresTests
{
    private const string Observer = "observer_sum_ms,observer_count,observer_max_ms,observer_min_ms,observer_average_ms: ";

    private static readonly SuiteReport s_report = Create();

    private static readonly JsonObject s_json = JsonNode.Parse(s_report.ToJson())!.AsObject();

    private static readonly string s_page = HtmlPage.Format(s_report);

    // Experiment, server, case, and each figure's key with its published value. Times that a source gives in seconds are in ms or µs here.
    [Theory]
    [InlineData(
        "chat-fanout",
        "C++/IOCP",
        "500 clients in 10 rooms",
        "le_100us 205707 le_500us 277936 le_1ms 126558 le_5ms 61255 gt_50ms 0 mean_us 456 p90_us 1163 messages_per_s 4948.37 "
        + "bytes_sent_per_s 11660000 fan_out 49.75 io_sends_per_s 96663 deliveries_per_send 2.567 jobs_enqueued_per_s 9889.28 "
        + "job_queue_per_s 9888.97 job_queue_peak 110.21 send_buffers_in_use 15.82 send_buffers_peak 18.28 send_buffer_pushes_per_s 39.06 "
        + "send_buffer_pops_per_s 39.12 pool_in_use 69631.66 pool_peak 69742.92 pool_new_per_s 274.86 pool_returns_per_s 101641.84 "
        + "pool_reuse_percent 98.97 pool_reuse_of_totals_percent 99.73")]
    [InlineData("classroom-broadcast", "Java NIO", "1 thread, 4×50", Observer + "22603.033 67 566.161 175.369 337.359")]
    [InlineData("classroom-broadcast", "Java NIO", "1 thread, 5×50", Observer + "134552.401 49 7015.459 8.106 2745.967")]
    [InlineData("classroom-broadcast", "Java NIO", "5 threads, 10×50", Observer + "336955.133 39 16597.61 464.432 8639.875")]
    [InlineData("classroom-broadcast", "Java NIO", "10 threads, 10×50", Observer + "87897.608 38 4231.894 229.595 2313.095")]
    [InlineData("classroom-broadcast", "Java NIO", "20 threads, 10×50", Observer + "530.368 55 11.398 7.019 9.643")]
    [InlineData("classroom-broadcast", "Java NIO", "20 threads, 14×50", Observer + "114865.532 39 5097.86 382.47 2945.27")]
    [InlineData("classroom-broadcast", "Java NIO", "30 threads, 14×50", Observer + "1785.475 42 319.82 8.979 42.511")]
    [InlineData(
        "request-reply",
        "PlayHouse (.NET 8)",
        "8 B, CCU 1000",
        "server_messages_per_s 121367 server_mb_per_s 4.17 server_mean_us 0 server_p50_us 0 server_p95_us 0 server_p99_us 10 "
        + "messages 1929184 peak_working_set_mb 1214 gc0 79 gc1 18 gc2 3 messages_per_s 126320 mean_us 1093000 p50_us 1113000 "
        + "p95_us 2615000 p99_us 2954000 client_peak_working_set_mb 2874 client_gc0 189 client_gc1 186 client_gc2 2 duration_s 10")]
    [InlineData(
        "request-reply",
        "PlayHouse (.NET 8)",
        "64 B, CCU 10",
        "server_messages_per_s 237580 server_mb_per_s 33.53 server_mean_us 0 server_p50_us 0 server_p95_us 0 server_p99_us 0 "
        + "messages 2390403 peak_working_set_mb 1723 gc0 110 gc1 4 gc2 3 messages_per_s 250323 mean_us 250 p50_us 210 "
        + "p95_us 500 p99_us 1070 client_peak_working_set_mb 3818 client_gc0 254 client_gc1 73 client_gc2 6 duration_s 5.06")]
    [InlineData("connection-ramp", "IOCP", "3,000", "accepted 3000 cpu_percent_max 6 cpu_percent_average 1.7")]
    [InlineData("connection-ramp", "TServerSocket", "3,000", "accepted 1720 cpu_percent_max 31 cpu_percent_average 14")]
    [InlineData("connection-ramp", "Indy", "3,000", "accepted 2120 cpu_percent_max 28 cpu_percent_average 16")]
    [InlineData("connection-ramp", "IOCP", "5,000", "accepted 5000 cpu_percent_average 20")]
    [InlineData("stream", "CppServer", "64 B", "messages_per_s 4758501")]
    [InlineData("stream", "CppServer", "256 B", "messages_per_s 4406904")]
    [InlineData("stream", "CppServer", "1 KB", "messages_per_s 4174261")]
    [InlineData("stream", "CppServer", "4 KB", "messages_per_s 1829124")]
    [InlineData("stream", "CppServer", "64 KB, window 6", "messages_per_s 79846")]
    [InlineData("stream", "zlink", "64 B", "messages_per_s 10998858")]
    [InlineData("stream", "zlink", "256 B", "messages_per_s 8744193")]
    [InlineData("stream", "zlink", "1 KB", "messages_per_s 4750371")]
    [InlineData("stream", "zlink", "4 KB", "messages_per_s 1810347")]
    [InlineData("stream", "zlink", "64 KB, window 6", "messages_per_s 106000")]
    public void A_published_figure_is_shown_as_it_was_published(string experiment, string subject, string name, string figures)
    {
        JsonArray published = Find(experiment)["published"]!.AsArray();
        foreach ((string key, double value) in Pairs(figures))
        {
            JsonNode found = Assert.Single(
                published,
                figure => (string?)figure!["subject"] == subject
                    && (string?)figure["case"] == name
                    && (string?)figure["key"] == key
                    && figure["at_seconds"] is null)!;
            Assert.Equal(value, (double)found["value"]!);
            Assert.Contains($">{Text(value, key)}</td>", s_page, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("10 5041 117849 5041 5041 106158 11660834 252961 388 206 1086 6733 10082 9794 142 69930 70040 120 122892")]
    [InlineData("70 5044 120346 5044 5044 105789 11891003 253144 460 203 985 4564 10088 9934 5135 71106 71222 1 125390")]
    [InlineData("130 5110 114104 5110 5110 107355 12057805 256510 459 188 1014 4812 10220 9934 96 71154 71292 0 119214")]
    [InlineData("190 5096 80294 5096 5096 106625 12000661 255766 458 86 1400 5740 10192 9934 96 71196 71310 0 85390")]
    [InlineData("250 5045 133973 5045 5045 106339 11920759 253195 458 278 964 4445 10090 9934 150 71201 71301 0 139018")]
    public void A_published_interval_is_shown_as_it_was_published(string row)
    {
        string[] columns =
        [
            "at_s", "io_receives_per_s", "io_sends_per_s", "app_in_per_s", "app_out_per_s", "bytes_received_per_s", "bytes_sent_per_s",
            "deliveries_per_s", "mean_us", "p50_us", "p90_us", "p99_us", "jobs_enqueued_per_s", "jobs_per_s", "job_queue_peak",
            "pool_in_use",
            "pool_peak", "pool_new_per_s", "pool_returns_per_s",
        ];
        double[] values = row.Split(' ').Select(Number).ToArray();
        JsonNode[] found = [.. Find("chat-fanout")["published"]!.AsArray().OfType<JsonNode>()
            .Where(figure => (double?)figure["at_seconds"] == values[0])];
        Assert.Equal(values, columns.Select(column => (double)found.Single(figure => (string?)figure["key"] == column)["value"]!));
        Assert.Contains(string.Concat(values.Select(static value => $"<td>{Text(value)}</td>")), s_page, StringComparison.Ordinal);
    }

    [Fact]
    public void Published_moments_stand_below_ours_evenly_spread()
    {
        ExperimentResult result = s_report.Results.Single(static result => result.Experiment.Moments.Count > 0);
        string name = result.Experiment.Published.First(static figure => figure.AtSeconds is not null).Case;
        ExperimentRun run = result.Runs.First(measured => measured.Run.Case == name).Run;
        var report = new JsonObject
        {
            ["intervals"] = new JsonArray(Enumerable.Range(1, 25).Select(static i => (JsonNode)new JsonObject
            {
                ["phase"] = i <= 5 ? "warmup" : "measure",
                ["at_s"] = (double)i,
                ["server"] = new JsonObject { ["sends_per_s"] = 100d * i },
            }).ToArray()),
        };
        var measured = new ExperimentResult(result.Experiment, [new RunResult(run, [new RoundResult(report, Problem: null)])]);

        IReadOnlyList<IReadOnlyList<string>> rows = SuiteText.Moments(measured).Rows;

        Assert.Equal("9 13 17 21 25", string.Join(' ', rows.Where(static row => row[0] == Subjects.Ours).Select(static row => row[1])));
        Assert.Equal(("–", "2,500"), (rows[4][2], rows[4][3]));
        Assert.Equal(5, rows.Count(static row => row[0] == "published: C++/IOCP"));
    }

    private static SuiteReport Create()
    {
        ExperimentSettings settings = SuiteSample.Settings(rounds: 1);
        return new SuiteReport(
            [.. ExperimentKind.All.Select(kind => WithoutFigures(kind.Create(SuiteSize.Full, settings)))],
            "suite --full",
            DateTimeOffset.UnixEpoch,
            Seconds: 3600,
            []);
    }

    private static ExperimentResult WithoutFigures(Experiment experiment) => new(
        experiment, experiment.Runs.Select(static run => new RunResult(run, [new RoundResult([], Problem: null)])).ToArray());

    // A table's cell has the unit of a time.
    // A time in the largest unit of which it has at least one, with all its digits.
    private static string Text(double value, string key)
    {
        decimal microseconds = (decimal)value * (key.EndsWith("_ms", StringComparison.Ordinal) ? 1000 : 1);
        return key[^3..] is not ("_us" or "_ms") ? Text(value)
            : microseconds >= 1_000_000 ? Text((double)(microseconds / 1_000_000)) + " s"
            : microseconds >= 1_000 ? Text((double)(microseconds / 1_000)) + " ms"
            : Text((double)microseconds) + " µs";
    }

    private static JsonObject Find(string experiment) =>
        s_json["experiments"]!.AsArray().Single(found => (string?)found!["name"] == experiment)!.AsObject();

    // "key value key value", or all keys first: "key,key: value value".
    private static IEnumerable<(string Key, double Value)> Pairs(string figures)
    {
        string[] parts = figures.Split(": ");
        string[] words = parts[^1].Split(' ');
        return parts.Length == 2
            ? parts[0].Split(',').Zip(words.Select(Number))
            : words.Chunk(2).Select(static pair => (pair[0], Number(pair[1])));
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private static string Text(double value) => value.ToString("#,0.#########", CultureInfo.InvariantCulture);
}
