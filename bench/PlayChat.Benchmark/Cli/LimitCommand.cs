using System.CommandLine;
using PlayChat.Benchmark.Limit;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>limit</c>: PlayChat beside the smallest servers in C, in the same rounds.</summary>
internal static class LimitCommand
{
    private const double MaxSeconds = 3600;

    public static Command Create(string commandLine) => new OptionTable()
        .Argument(
            "scenario",
            $"""
            Parts or scenarios; all but tls and ws when none is named. Server and load get a processor each; nothing else should run
            meanwhile. Tables go to standard output, progress to standard error. CC and CFLAGS choose the compiler and its options.
            Exit code: 0 when every measured bar is met, 1 when not, 2 when it cannot run.

            {LimitScenarios.Describe()}
            """,
            isList: true)
        .Text("--servers", string.Join(',', LimitScenarios.OwnServers), "LIST", "Without an option, --inline, --transport linux.")
        .Number("--pairs", null, 1, 1000, "Rounds; each runs C and every server once, in turn. Default 5.")
        .Number("--duration", null, double.Epsilon, MaxSeconds, "Seconds that count. Default 4.")
        .Number("--warmup", null, double.Epsilon, MaxSeconds, "Seconds before them; the runtime compiles meanwhile. Default 5.")
        .Flag("--quick", "One round, 1 s of warm-up, 1.5 s that count: whether it works, not how fast it is.")
        .Text("--server", null, "FILE", "Another build of PlayChat.Server.")
        .Create(
            "limit",
            "Compares PlayChat.Server with minimal servers in C, and says which bars are met.",
            (values, token) => RunAsync(values, commandLine, token));

    private static async Task<int> RunAsync(OptionValues values, string commandLine, CancellationToken interrupted)
    {
        TextWriter progress = values.Console.Error;
        LimitOptions options = Read(values);
        TextWriter output = values.Console.Output;
        using var machine = LimitMachine.Check(options.Scenarios);
        await progress.WriteLineAsync("limit: building the C programs");
        await machine.BuildAsync(options.Scenarios, interrupted);
        await output.WriteAsync($"""
            `{commandLine}`, {DateTime.UtcNow:yyyy-MM-dd}, {Environment.ProcessorCount} processors of {MachineInfo.ToJson()["processor"]},
            {LimitMachine.Compiler}; server on processor {machine.ServerCore}, load on {machine.LoadCore}, rounds {options.Rounds},
            {options.Warmup} s warm-up, {options.Duration} s measured. Medians of the rounds; multiples are of the same round.


            """);
        return await new LimitProgram(options, output, progress, new LimitRuns(options, machine).RunAsync).RunAsync(interrupted);
    }

    private static LimitOptions Read(OptionValues values)
    {
        bool quick = values.Flag("--quick");
        string[] servers = values.Text("--servers").Split(',');
        string? unknown = Array.Find(servers, static server => !LimitScenarios.OwnServers.Contains(server, StringComparer.Ordinal));
        UsageException.Unless(
            unknown is null, $"There is no server '{unknown}'; there are {string.Join(", ", LimitScenarios.OwnServers)}.");
        IReadOnlyList<LimitScenario> scenarios = LimitScenarios.Choose([.. values.List("scenario")]);
        string server = Path.GetFullPath(values.OptionalText("--server") ?? Path.ChangeExtension(ServerProgram.Find(), null));
        UsageException.Unless(File.Exists(server), $"There is no server {server}.");
        return new LimitOptions(
            scenarios,
            servers,
            (int)(values.OptionalNumber("--pairs") ?? (quick ? 1 : 5)),
            values.OptionalNumber("--warmup") ?? (quick ? 1 : 5),
            values.OptionalNumber("--duration") ?? (quick ? 1.5 : 4),
            server);
    }
}
