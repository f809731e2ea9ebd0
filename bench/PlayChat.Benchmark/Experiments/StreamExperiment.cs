namespace PlayChat.Benchmark.Experiments;

/// <summary>Frames of several sizes, a window of them on each of many connections.</summary>
internal static class StreamExperiment
{
    private const string PublishedSizes = "64 256 1024 4096 65536";
    private const int PublishedCcu = 10_000;

    // 10,000 windows of 30 bodies of 64 KB are 19.7 GB, which would measure the machine's memory.
    private const long MaxOutstandingBytes = 4L << 30;

    public static ExperimentKind Kind { get; } = new(
        "stream",
        "Experiment: frames of several sizes, with a window of them on each of many connections.",
        [
            new("--ccu", "Connections.", "10000", Quick: "1000", Smoke: "100"),
            new("--inflight", "Frames outstanding on each connection.", "30"),
            new("--sizes", "Bytes of a body, each a case.", PublishedSizes, Smoke: "64 1024 65536"),
            new("--other-sizes", "Those with which other servers are measured.", PublishedSizes, Standard: "64 1024 65536"),
            new("--threads", "Linux: threads of both sides, each a case with the first size; 0: none.", "1 2 4 8 16 24 32", Quick: "0"),
            new("--max-outstanding-mb", "Fewer connections, so that at most this many 2^20 bytes wait; 0: all.", "0", Quick: "64"),
            new("--warmup", "Seconds of load before the measurement.", "3", Standard: "2", Quick: "1.5", Smoke: "0.3"),
            new("--max-warmup", "The most seconds of warm-up while the rate rises.", "0", Standard: "10", Smoke: "0"),
            new("--duration", "Seconds of the measurement.", "10", Standard: "5", Quick: "2.5", Smoke: "0.7"),
            new("--drain-timeout", "The most seconds to wait for answers at the end.", "10"),
        ],
        Create);

    /// <summary>The connections and the window with bodies of a size.</summary>
    public static (int Ccu, int Inflight) LoadOf(Preset preset, int size)
    {
        int ccu = preset.Int("--ccu");
        int inflight = preset.Int("--inflight");
        long limit = (long)preset.Number("--max-outstanding-mb") << 20;
        if (limit > 0 && !preset.Given.ContainsKey("--ccu")) // an explicit number is never reduced
        {
            ccu = (int)Math.Clamp(limit / ((long)inflight * size), 1, ccu);
        }

        return (ccu, (int)Math.Clamp(MaxOutstandingBytes / ((long)ccu * size), 1, inflight));
    }

    private static Experiment Create(Preset preset, ExperimentSettings settings)
    {
        int[] sizes = preset.Ints("--sizes");
        int[] others = preset.Given.ContainsKey("--sizes") ? sizes : preset.Ints("--other-sizes");
        int[] threads = Threads(preset);
        string first = FigureText.Size(sizes[0]);
        Dictionary<int, string> cases = threads.ToDictionary(
            static count => count, count => $"{first}, {count} thread{(count == 1 ? "" : "s")}");
        string[] names = [.. sizes.Select(size => Case(preset, size))];
        return new Experiment(
            Kind.Name,
            "Stream: frames of every size",
            "zlink and CppServer, two C++ libraries, compared by the author of the first; machine not told. 10,000 connections, a "
            + "window of 30.",
            About(preset, sizes),
            [
                .. from size in sizes
                   from subject in settings.Subjects("echo")
                   where !Subjects.IsBaseline(subject) || others.Contains(size)
                   select ExperimentRun.Of(subject, Case(preset, size), Load(preset, size, subject)),
                .. cases.Select(pair => ExperimentRun.Of(
                    Subjects.Ours,
                    pair.Value,
                    $"{Load(preset, sizes[0], Subjects.Ours)} --server Workers={pair.Key} --load-threads {pair.Key}")),
            ],
            [
                new("Server's CPU time a message (less is better)", "cpu_us_per_message", first),
                new("Throughput by size (more is better)", "messages_per_s", names),
                new("Server's CPU time a message by size (less is better)", "cpu_us_per_message", names),
            ])
        {
            Published = PublishedFigure.Of(Kind.Name)
                .Select(figure => figure with
                {
                    Case = Array.Find(names, name => name.Split(',')[0] == figure.Case) ?? figure.Case,
                })
                .ToArray(),
            Sweeps = threads.Length < 2 ? [] : [new Sweep($"threads, {first}", "messages_per_s", cases)],
        };
    }

    // The load has a number of threads on its Linux transport only.
    private static int[] Threads(Preset preset)
    {
        int[] threads = preset.Ints("--threads", zeroIsNone: true);
        UsageException.Unless(
            threads.Length == 0 || LinuxTransport.IsSupported || !preset.Given.ContainsKey("--threads"), "--threads needs 64-bit Linux.");
        return LinuxTransport.IsSupported ? threads : [];
    }

    // The case says so when its load is not the one that was published.
    private static string Case(Preset preset, int size) => LoadOf(preset, size).Inflight is var window && window < preset.Int("--inflight")
        ? $"{FigureText.Size(size)}, window {window}"
        : FigureText.Size(size);

    private static string About(Preset preset, int[] sizes)
    {
        int ccu = preset.Int("--ccu");
        string[] fewer = sizes.Where(size => LoadOf(preset, size).Ccu < ccu)
            .Select(size => $"{LoadOf(preset, size).Ccu:N0} with bodies of {FigureText.Size(size)}").ToArray();
        string?[] text =
        [
            $"{ccu:N0} connections keep {preset["--inflight"]} frames each outstanding, length(4) and a body, and the server echoes them.",
            "The window is never exceeded (over the window: 0), at most 1 % may lack an answer at the end,",
            "and the drain must not time out.",
            ccu == PublishedCcu ? null : $"Published were {PublishedCcu:N0} connections.",
            fewer.Length == 0 ? null
                : $"Large frames have fewer connections, so that at most {preset["--max-outstanding-mb"]} MB are outstanding and a round "
                + $"trip is far shorter than the measurement: {string.Join(", ", fewer)}.",
            sizes.All(size => Case(preset, size) == FigureText.Size(size)) ? null
                : "At most 4 GiB are outstanding in all, so a case with \"window\" in its name has a smaller window than the published "
                + "one, and its published figures are of another load.",
            Threads(preset).Length == 0 ? null
                : "In the cases with a number of threads the server has that many workers, and the load as many threads.",
            "Where a window is full all the time, latency is what is outstanding divided by the throughput.",
        ];
        return string.Join(' ', text.OfType<string>());
    }

    private static string Load(Preset preset, int size, string subject)
    {
        (int ccu, int inflight) = LoadOf(preset, size);
        // As published. The baselines always listen with this backlog.
        string backlog =
            Subjects.IsBaseline(subject) ? string.Empty : $" --server PlayChat:Transport:Backlog={BaselineSettings.Backlog}";
        return $"echo --ccu {ccu} --inflight {inflight} --size {size} --sample 16 --max-incomplete-ratio 0.01 "
            + preset.Options("--warmup", "--max-warmup", "--duration", "--drain-timeout") + backlog;
    }
}
