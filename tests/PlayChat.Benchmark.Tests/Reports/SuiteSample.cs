using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Tests.Reports;

/// <summary>
/// A report of invented figures that has all there can be: subjects, rounds, published figures, charts, moments, a sweep, a problem.
/// </summary>
internal static class SuiteSample
{
    private static readonly Figure[] s_figures =
    [
        new("messages_per_s", "throughput", "msg/s", "messages_per_s", Better.Higher),
        new("p50_us", "p50", "µs", "rtt_us.p50", Better.Lower),
        new("p95_us", "p95", "µs", "rtt_us.p95", Better.Lower),
        new("p99_us", "p99", "µs", "rtt_us.p99", Better.Lower),
        new("cpu_us_per_message", "CPU a message", "µs", "server.cpu_us_per_message", Better.Lower),
        new("incomplete_ratio", "incomplete", "", "incomplete_ratio", Better.Lower),
    ];

    public static ExperimentSettings Settings(int rounds = 3, string folder = "report") =>
        new(rounds, Against: null, ServerCpus: "1", ClientCpus: "0", folder, Conditions: []);

    public static SuiteReport Create(int rounds = 3)
    {
        ExperimentResult[] results = [Stream(rounds), Fanout(rounds), Ramp(rounds)];
        return new SuiteReport(
            results,
            "dotnet run -c Release --project bench/PlayChat.Benchmark -- suite --quick",
            new DateTimeOffset(2026, 11, 21, 16, 30, 0, TimeSpan.Zero),
            Seconds: 581,
            new JsonObject { ["processor"] = "Ours", ["processors"] = 4, ["memory_bytes"] = 8_000_000_000L })
        {
            Rounds = rounds,
            Commit = "abc",
        };
    }

    public static ExperimentResult Stream(int rounds)
    {
        (string Case, double Rate)[] sizes =
            [("64 B", 1_900_000), ("256 B", 1_500_000), ("1 KB", 820_000), ("4 KB", 310_000), ("64 KB", 24_000)];
        (string Subject, double Speed)[] subjects =
            [(Subjects.Ours, 1), (Subjects.NativeLinux, 1.22), ("kestrel", 0.71), ("async-socket", 1.09)];
        var experiment = new Experiment(
            "stream",
            "Stream: frames of every size",
            "zlink and CppServer, a C++ library's own comparison on a desktop processor.",
            "10,000 connections keep 30 frames each under way. Throughput tells what a frame costs, "
            + "the percentiles how evenly all connections are served.",
            sizes
                .SelectMany(size => subjects.Select(subject => new ExperimentRun(
                    subject.Subject, size.Case, ["echo", "--ccu", "1000", .. Subjects.Arguments(subject.Subject)])))
                .ToArray(),
            [
                new("Throughput by size", "messages_per_s"),
                new("Server CPU a message", "cpu_us_per_message", "64 B"),
            ])
        {
            Figures = s_figures,
            Published =
            [
                new("zlink", "64 B", "messages_per_s", 10_998_858), new("CppServer", "64 B", "messages_per_s", 4_758_501),
                new("zlink", "1 KB", "messages_per_s", 4_750_371), new("CppServer", "1 KB", "messages_per_s", 4_174_261),
                new("zlink", "64 KB", "messages_per_s", 106_000), new("CppServer", "64 KB", "messages_per_s", 79_846),
                new("zlink", "64 B", "p99_us", 17_000), new("zlink", "64 B", "p50_us", 9_000),
            ],
            Sweeps = [new Sweep("bytes", "messages_per_s", new Dictionary<int, string> { [64] = "64 B", [256] = "256 B" })],
        };
        return new ExperimentResult(experiment, experiment.Runs.Select(run =>
        {
            double rate = sizes.First(size => size.Case == run.Case).Rate * subjects.First(subject => subject.Subject == run.Subject).Speed;
            return new RunResult(run, Enumerable.Range(0, rounds)
                .Select(round => new RoundResult(
                    Echo(rate * (1 + (0.04 * ((round + rate) % 3)))),
                    run is { Subject: "kestrel", Case: "64 KB" } && round == 1 ? "12 incomplete" : null))
                .ToArray());
        }).ToArray());
    }

    private static ExperimentResult Fanout(int rounds)
    {
        var experiment = new Experiment(
            "chat-fanout",
            "Chat fan-out: 500 players in 10 rooms",
            "C++ with IOCP on an i5-14400F, 250 s.",
            "Every player sends 10 messages a second to a room of 50. Then the rate rises until p99 passes 50 ms.",
            [
                new(Subjects.Ours, "capacity", ["capacity"]),
                new(Subjects.NativeLinux, "capacity", ["capacity", "--server", "Transport=linux"]),
            ],
            [new("Deliveries", "deliveries_per_s")])
        {
            Figures =
            [
                new("deliveries_per_s", "deliveries", "/s", "deliveries_per_s", Better.Higher),
                new("p99_us", "p99", "µs", "latency_us.p99", Better.Lower),
            ],
            Published =
            [
                new("C++ IOCP", "capacity", "deliveries_per_s", 248_153), new("C++ IOCP", "capacity", "p99_us", 5_569),
                new("C++ IOCP", "capacity", "p99_us", 6_733, AtSeconds: 10), new("C++ IOCP", "capacity", "p99_us", 4_445, AtSeconds: 250),
            ],
            Moments = [new("at_s", "s", "", "at_s", Better.Higher), new("p99_us", "p99", "", "latency_us.p99", Better.Lower)],
        };
        return new ExperimentResult(experiment, experiment.Runs.Select((run, i) => Repeat(run, Capacity(i), rounds)).ToArray());
    }

    private static JsonObject Capacity(int i) => new()
    {
        ["deliveries_per_s"] = 940_000d + (i * 210_000),
        ["latency_us"] = new JsonObject { ["p99"] = 31_000d },
    };

    private static ExperimentResult Ramp(int rounds)
    {
        (string Subject, double Cpu)[] subjects = [(Subjects.Ours, 2.1), ("kestrel", 2.6), ("blocking-threads", 6.5), ("async-socket", 22)];
        var experiment = new Experiment(
            "connection-ramp",
            "Connection ramp: 3,000 that arrive and stay",
            "C++Builder components.",
            "40 more connections at every step; each sends 50 B every 10 s.",
            subjects
                .Select(static subject => new ExperimentRun(
                    subject.Subject, "3,000", ["ramp", "--ramp", "40", .. Subjects.Arguments(subject.Subject)]))
                .ToArray(),
            [new("Server CPU of all connections", "cpu_percent")])
        {
            Figures =
            [
                new("accepted", "accepted", "", "accepted", Better.Higher),
                new("cpu_percent", "CPU average", "%", "server.cpu_percent", Better.Lower),
                new("kb_per_connection", "memory a connection", "KB", "kb", Better.Lower),
            ],
            Published =
            [
                new("TServerSocket", "3,000", "accepted", 1720),
                new("Indy", "3,000", "accepted", 2120),
                new("IOCP", "3,000", "accepted", 3000),
                new("IOCP", "3,000", "cpu_percent", 1.7),
                new("Indy", "3,000", "cpu_percent", 16),
            ],
        };
        return new ExperimentResult(
            experiment, experiment.Runs.Select((run, i) => Repeat(run, Ramp(run, i, subjects[i].Cpu), rounds)).ToArray());
    }

    private static JsonObject Ramp(ExperimentRun run, int i, double cpu)
    {
        int accepted = run.Subject == "async-socket" ? 1020 : 3000;
        return new JsonObject
        {
            ["accepted"] = (double)accepted,
            ["server"] = new JsonObject { ["cpu_percent"] = cpu },
            ["kb"] = 3d + (i * i * 2),
        };
    }

    private static RunResult Repeat(ExperimentRun run, JsonObject report, int rounds) =>
        new(run, Enumerable.Repeat(new RoundResult(report, Problem: null), rounds).ToArray());

    private static JsonObject Echo(double rate) => new()
    {
        ["messages_per_s"] = rate,
        ["rtt_us"] = new JsonObject { ["p50"] = 2.4e10 / rate, ["p95"] = 4.1e10 / rate, ["p99"] = 6.6e10 / rate },
        ["server"] = new JsonObject { ["cpu_us_per_message"] = 0.9e6 / rate },
        ["incomplete_ratio"] = 0d,
        ["lost"] = 0d,
        ["intervals"] = new JsonArray(),
    };
}
