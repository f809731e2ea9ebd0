using System.CommandLine;

namespace PlayChat.Benchmark.Limit;

/// <summary>The command <c>limit</c>: PlayChat beside the smallest servers in C, in the same rounds.</summary>
internal sealed class LimitCommand
{
    private const double MaxSeconds = 3600;

    private readonly Argument<string[]> _scenarios = new("scenario")
    {
        Description = $"""
            Parts or scenarios; all but tls and ws when none is named. Server and load get a processor each; nothing else should run
            meanwhile. Tables go to standard output, progress to standard error. CC and CFLAGS choose the compiler and its options.
            Exit code: 0 when every measured bar is met, 1 when not, 2 when it cannot run.

            {LimitScenarios.Describe()}
            """,
        Arity = ArgumentArity.ZeroOrMore,
    };
    private readonly Option<string?> _servers =
        Option<string?>("--servers", "LIST", "Of default,inline,linux: no option, --inline, --transport linux.");
    private readonly Option<int?> _pairs = Option<int?>("--pairs", "N", "Rounds; each runs C and every server once, in turn. Default 5.");
    private readonly Option<double?> _duration = Option<double?>("--duration", "S", "Seconds that count. Default 4.");
    private readonly Option<double?> _warmup =
        Option<double?>("--warmup", "S", "Seconds before them; the runtime compiles meanwhile. Default 5.");
    private readonly Option<bool> _quick =
        new("--quick") { Description = "One round, 1 s of warm-up, 1.5 s that count: whether it works, not how fast it is." };
    private readonly Option<string?> _server = Option<string?>("--server", "FILE", "Another build of PlayChat.Server.");
    private readonly Option<string?> _output = Option<string?>("--output", "FILE", "Also write the tables to a file.");

    /// <summary>Makes the command.</summary>
    /// <param name="commandLine">For the head of the tables.</param>
    public Command Create(string commandLine)
    {
        var command = new Command("limit", "Compares PlayChat.Server with minimal servers in C, and says which bars are met.")
        {
            _scenarios, _servers, _pairs, _duration, _warmup, _quick, _server, _output,
        };
        command.SetAction((result, token) => RunAsync(result, commandLine, token));
        return command;
    }

    private async Task<int> RunAsync(ParseResult result, string commandLine, CancellationToken interrupted)
    {
        TextWriter progress = result.InvocationConfiguration.Error;
        LimitOptions options = Read(result);
        string? file = result.GetValue(_output);
        Show(file is null ? string.Empty : "\n"); // so that a file that cannot be written is known at once
        if (options.Server.Length == 0)
        {
            options = options with { Server = Path.ChangeExtension(ServerProgram.Find(), null) };
        }

        using var machine = LimitMachine.Check(options.Scenarios);
        await progress.WriteLineAsync("limit: building the C programs");
        await machine.BuildAsync(options.Scenarios, interrupted);
        Show(string.Create(
            CultureInfo.InvariantCulture,
            $"""
            `{commandLine}`, {DateTime.UtcNow:yyyy-MM-dd}, {Environment.ProcessorCount} processors of {MachineInfo.ToJson()["processor"]},
            {LimitMachine.Compiler}; server on processor {machine.ServerCore}, load on {machine.LoadCore}, rounds {options.Rounds},
            {options.Warmup} s warm-up, {options.Duration} s measured. Medians of the rounds; multiples are of the same round.


            """));
        return await new LimitProgram(options, Show, progress, new LimitRuns(options, machine).RunAsync).RunAsync(interrupted);

        void Show(string text)
        {
            result.InvocationConfiguration.Output.Write(text);
            try
            {
                File.AppendAllText(file ?? "/dev/null", text);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new UsageException($"--output: cannot write '{file}': {e.Message}");
            }
        }
    }

    private LimitOptions Read(ParseResult result)
    {
        bool quick = result.GetValue(_quick);
        string[] servers = result.GetValue(_servers)?.Split(',') ?? [.. LimitScenarios.OwnServers];
        if (Array.Find(servers, static server => !LimitScenarios.OwnServers.Contains(server, StringComparer.Ordinal)) is { } unknown)
        {
            throw new UsageException($"There is no server '{unknown}'; there are {string.Join(", ", LimitScenarios.OwnServers)}.");
        }

        string server = result.GetValue(_server) is { } path ? Path.GetFullPath(path) : string.Empty;
        return server.Length > 0 && !File.Exists(server) ? throw new UsageException($"There is no server {server}.") : new LimitOptions(
            LimitScenarios.Choose([.. result.GetValue(_scenarios)!]),
            servers,
            (int)Positive("--pairs", result.GetValue(_pairs) ?? (quick ? 1 : 5)),
            Positive("--warmup", result.GetValue(_warmup) ?? (quick ? 1 : 5)),
            Positive("--duration", result.GetValue(_duration) ?? (quick ? 1.5 : 4)),
            server);
    }

    private static double Positive(string option, double value) => value is > 0 and <= MaxSeconds
        ? value
        : throw new UsageException(string.Create(
            CultureInfo.InvariantCulture, $"{option} is {value}; allowed is more than 0, to {MaxSeconds}."));

    private static Option<T> Option<T>(string name, string value, string description) =>
        new(name) { Description = description, HelpName = value };
}
