namespace PlayChat.Benchmark.Experiments;

/// <summary>Players in rooms, the most deliveries per second, and the same load without chat beside other servers.</summary>
internal static class ChatFanoutExperiment
{
    private const string Plain = "the same without chat";

    public static ExperimentKind Kind { get; } = new(
        "chat-fanout",
        "Experiment: chat in rooms, its capacity, and the same load without chat beside other servers.",
        [
            new("--clients", "Players.", "500", Smoke: "100"),
            new("--rooms", "Rooms.", "10", Smoke: "5"),
            new("--rps", "Messages per second of each player.", "10"),
            new("--mix", "Sizes of the texts: BYTES:WEIGHT or MIN-MAX:WEIGHT, separated by commas.", PayloadMix.Default),
            new("--late", "A delivery is late when it arrives later than this after its planned time.", "50ms"),
            // In the smoke test nothing is compared, and a build server has other work.
            new("--max-lag", "A run whose load was later than this (p99) is invalid.", "50ms", Smoke: "10s"),
            new("--p99-limit", "The longest p99 with which a step of the capacity search holds.", "50ms"),
            new("--precision", "The precision of that search.", "0.05", Standard: "0.1", Quick: "0.25", Smoke: "0.5"),
            new("--stalled-readers", "Players that do not read, in a separate case.", "5"),
            new("--warmup", "Seconds before the measurement.", "10", Standard: "5", Quick: "3", Smoke: "0.5"),
            new("--duration", "Seconds of the measurement.", "250", Standard: "15", Quick: "8", Smoke: "1"),
            new("--step-duration", "Seconds of a step of the capacity search.", "10", Standard: "3", Quick: "2", Smoke: "0.5"),
            new("--plain-duration", "Seconds of the same load without chat.", "60", Standard: "6", Quick: "3", Smoke: "1"),
        ],
        Create);

    private static Experiment Create(Preset preset, ExperimentSettings settings)
    {
        string crowd = preset.Options("--clients", "--rooms", "--rps", "--mix", "--late", "--max-lag");
        string chat = $"chat {crowd} {preset.Options("--warmup", "--duration")}";
        string name = $"{preset["--clients"]} clients in {preset["--rooms"]} rooms";
        double warmup = preset.Number("--warmup");
        string plain = $"broadcast {crowd} --warmup {Math.Min(warmup, 2)} --duration {preset["--plain-duration"]}";
        string search = $"capacity {crowd} {preset.Options("--p99-limit", "--precision")} --drain-timeout 3 "
            + $"--warmup {Math.Min(warmup, preset.Number("--step-duration") / 4)} "
            + $"--duration {preset["--step-duration"]}";
        // Limits that the run reaches. With the default the kernel alone buffers 2 MB per connection.
        string stalled = $"{chat} {preset.Options("--stalled-readers")} "
            + "--server PlayChat:Transport:SendBufferBytes=65536 --server PlayChat:Connections:MaxOutboundBytes=262144";
        return new Experiment(
            Kind.Name,
            "Chat fan-out",
            "A C++/IOCP chat server with a client of its own, on an i5-14400F, 250 s. It published 21 bytes received for each "
            + "message, which is less than any text of the mix that it states, so its bytes per second and ours do not compare.",
            "Players in rooms talk at a fixed rate, whatever the server does. Each message goes to all members of its room, each receiver "
            + "checks each delivery, and latency counts from the planned time of sending. "
            + $"The other servers know no chat, so \"{Plain}\" has the same load in plain frames (length, sender, payload) for all of "
            + $"them. The capacity search raises the rate until the p99 is over {preset["--p99-limit"]}, a message is lost, or the load is "
            + $"late. A delivery is late over {preset["--late"]}.",
            [
                .. settings.Subjects("chat").Where(Subjects.IsOurs).Select(subject => ExperimentRun.Of(subject, name, chat)),
                ExperimentRun.Of(Subjects.Ours, $"and {preset["--stalled-readers"]} stalled readers", stalled),
                .. settings.Subjects("broadcast").Select(subject => ExperimentRun.Of(subject, Plain, plain)),
                ExperimentRun.Of(Subjects.Ours, "capacity", search),
            ],
            [
                new("99 % of the deliveries arrive within this time (less is better)", "p99_us", Plain, name),
                new("Server's CPU time a delivery (less is better)", "server_cpu_us_per_delivery"),
                new("Deliveries per second at capacity, and at the given rate (more is better)", "deliveries_per_s", "capacity", name),
            ]);
    }
}
