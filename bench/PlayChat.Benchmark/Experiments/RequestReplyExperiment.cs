namespace PlayChat.Benchmark.Experiments;

internal static class RequestReplyExperiment
{
    /// <summary>PlayChat's chat protocol, where answers name their request.</summary>
    public const string Packets = Subjects.Ours + Subjects.PacketsOf;

    private const string Awaited = Subjects.Ours + Subjects.AwaitedOf;
    private const string Cases = "--cases";
    private const string CaseForm = "CONNECTIONSxWINDOWxBYTES";

    public static ExperimentKind Kind { get; } = new(
        "request-reply",
        "Experiment: requests and answers, with and without correlation.",
        [
            // The published window of the second case is not told; its rate times its mean RTT is 59, so it is 6 on each
            // connection. In the shorter sizes the last two cases, which were not published, are for PlayChat alone.
            new(
                Cases,
                "Loads, each " + CaseForm + ".",
                "1000x200x8 10x6x64 1000x200x256 1000x200x1024",
                Smoke: "100x20x8 10x6x64"),
            new("--warmup", "Seconds of load before the measurement.", "3", Standard: "2", Quick: "1", Smoke: "0.3"),
            new("--max-warmup", "The most seconds of warm-up while the rate rises.", "0", Standard: "10", Smoke: "0"),
            new("--duration", "Seconds of the measurement.", "10", Standard: "4", Quick: "2", Smoke: "0.7"),
            new("--drain-timeout", "The most seconds to wait for answers at the end.", "10"),
        ],
        Create);

    private static Experiment Create(Preset preset, ExperimentSettings settings) => new(
        Kind.Name,
        "Request and reply",
        "A .NET 8 game server framework, measured by its author under WSL2; the machine is not told.",
        "Each connection keeps its window of requests outstanding, and every answer is compared with its request. "
        + $"Rows that end in \"{Subjects.PacketsOf[2..]}\" have typed messages of the chat protocol after a login; an answer names its "
        + $"request by id, as the published ones did. With \"{Subjects.AwaitedOf[2..]}\" a task awaits each answer by the server's own "
        + "client library, as in the published client. The other rows are length(4) and a body on both sides, with answers in order. "
        + "Only rows of one kind are compared with each other, and rows with different client libraries are not. With CCU 1000 and a "
        + "window of 200 there are 200,000 requests outstanding. Their RTT is that number divided by the throughput, so a mean of "
        + "seconds means that the throughput is low.",
        preset.Groups(Cases, CaseForm, 'x').SelectMany(load => Runs(preset, load[0], load[1], load[2], settings)).ToArray(),
        [
            new("Half of the answers arrive within this time (less is better)", "p50_us", Name(8, 1000)),
            new("Throughput (more is better)", "messages_per_s"),
            new("Server's CPU time a message (less is better)", "cpu_us_per_message"),
            new("Server memory (less is better)", "peak_working_set_mb"),
        ]);

    private static IEnumerable<ExperimentRun> Runs(Preset preset, int ccu, int inflight, int size, ExperimentSettings settings)
    {
        string name = Name(size, ccu);
        string echo = $"echo --ccu {ccu} --inflight {inflight} --size {size} "
            + preset.Options("--warmup", "--max-warmup", "--duration", "--drain-timeout");
        bool isForAll = preset.Size == SuiteSize.Full || size < 256 || preset.Given.ContainsKey(Cases);
        yield return ExperimentRun.Of(Subjects.Ours, name, echo);
        yield return ExperimentRun.Of(Packets, name, $"{echo} --framing packet");
        yield return ExperimentRun.Of(Awaited, name, $"{echo} --framing request");
        IEnumerable<string> others = settings.Subjects("echo", native: false)
            .Union(settings.Subjects("chat", native: false), StringComparer.Ordinal)
            .Where(subject => subject != Subjects.Ours && (isForAll || Subjects.IsOurs(subject)));
        foreach (string subject in others)
        {
            bool echoes = Subjects.Serving([subject], "echo").Count > 0;
            if (echoes)
            {
                yield return ExperimentRun.Of(subject, name, echo);
            }

            if (Subjects.IsBaseline(subject) && Subjects.Serving([subject], "chat").Count > 0)
            {
                // A baseline without echo has a protocol of its own, whose answers are awaited.
                yield return echoes
                    ? ExperimentRun.Of(subject + Subjects.PacketsOf, name, $"{echo} --framing packet")
                    : ExperimentRun.Of(subject + Subjects.AwaitedOf, name, $"{echo} --framing request");
            }
        }
    }

    private static string Name(int size, int ccu) => $"{FigureText.Size(size)}, CCU {ccu}";
}
