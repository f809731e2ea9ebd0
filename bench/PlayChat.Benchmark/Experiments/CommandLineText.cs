namespace PlayChat.Benchmark.Experiments;

/// <summary>Formats command lines to type in the repository's folder.</summary>
internal static class CommandLineText
{
    private const string Program = "dotnet run -c Release --project bench/PlayChat.Benchmark --";

    /// <summary>The command line with these arguments.</summary>
    public static string Of(IEnumerable<string> arguments) => $"{Program} {string.Join(' ', arguments.Select(Quote))}";

    /// <summary>The command line of a run.</summary>
    public static string Of(ExperimentRun run, ExperimentSettings settings) =>
        (settings.ClientCpus is null ? string.Empty : $"taskset -c {settings.ClientCpus} ") + Of(ExperimentRunner.Arguments(run, settings));

    private static string Quote(string argument) =>
        argument.Length > 0
        && argument.All(static letter => char.IsLetterOrDigit(letter) || "-_=:.,/+×".Contains(letter, StringComparison.Ordinal))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
