namespace PlayChat.Benchmark.Experiments;

internal static class RampExperiment
{
    public static ExperimentKind Kind { get; } = new(
        "connection-ramp",
        "Experiment: connections that are added step by step and send little: accepted, CPU, memory per connection.",
        [
            new("--connections", "Connections of every server.", "3000", Smoke: "500"),
            new("--more", "Higher numbers of connections, for PlayChat alone; 0: none.", "5000 10000", Quick: "10000", Smoke: "0"),
            new("--ramp", "Connections added per step.", "40"),
            new("--ramp-interval", "Time between two steps, before --time-scale.", "10s"),
            new("--time-scale", "Makes the ramp this many times as fast.", "1", Standard: "75", Quick: "500"),
            new("--size", "Payload of a message.", "50"),
            new("--every", "Time between two messages of a connection.", "10s", Smoke: "2s"),
            // Until each connection has sent once more.
            new("--hold", "Seconds that all are held.", "60", Standard: "12", Quick: "10", Smoke: "2"),
        ],
        Create);

    private static Experiment Create(Preset preset, ExperimentSettings settings)
    {
        int connections = preset.Int("--connections");
        double scale = preset.Number("--time-scale");
        UsageException.Unless(scale > 0, $"--time-scale is {preset["--time-scale"]}; allowed is more than 0.");
        ExperimentRun ours = Run(preset, Subjects.Ours, connections, scale);
        // With processors given for all runs, or only one, there is nothing to compare.
        bool canPin = preset.Size >= SuiteSize.Standard && settings is { ServerCpus: null, ClientCpus: null }
            && RunningProcess.CanPin && Environment.ProcessorCount > 1;
        return new Experiment(
            Kind.Name,
            "Connection ramp",
            "Three servers in C++Builder (TServerSocket and Indy with threads, IOCP), on a machine of their time.",
            $"Every {preset["--ramp-interval"]} the load adds {preset["--ramp"]} connections, {preset["--time-scale"]} times as fast "
            + "as that; the cases of PlayChat alone are faster still, so that they take the same time. Each connection sends "
            + $"{preset["--size"]} bytes at once and then every {preset["--every"]} at a phase of its own, and receives them back. A "
            + "connection counts as accepted when its first message has returned. During the ramp the CPU time is that of accepting "
            + "connections, and a fast ramp has more of it; \"when all are there\" is the time after the ramp. blocking-threads is a "
            + "server with a thread for each connection.",
            [
                .. settings.Subjects("echo", native: preset.Size >= SuiteSize.Standard)
                    .Select(subject => Run(preset, subject, connections, scale)),
                .. canPin
                    ? [ours with { Case = $"{ours.Case}, server on one processor", Arguments = [.. ours.Arguments, "--server-cores", "0"] }]
                    : Array.Empty<ExperimentRun>(),
                // With more connections the ramp is faster, so that every case takes the same time.
                .. preset.Ints("--more", zeroIsNone: true)
                    .Select(more => Run(preset, Subjects.Ours, more, scale * Math.Max(1, (double)more / connections))),
            ],
            [
                new("Server's CPU time when all are there, of one processor (less is better)", "cpu_percent_held", ours.Case),
                new("Memory a connection (less is better)", "memory_bytes_per_connection"),
                new("Server's CPU time, average with the ramp (less is better)", "cpu_percent_average", ours.Case),
            ]);
    }

    private static ExperimentRun Run(Preset preset, string subject, int connections, double scale) => ExperimentRun.Of(
        subject,
        connections.ToString("N0", CultureInfo.InvariantCulture),
        $"ramp --connections {connections} --time-scale {scale:0.###} --duration {preset["--hold"]} "
        + $"--interval 0.5 {preset.Options("--ramp", "--ramp-interval", "--size", "--every")}");
}
