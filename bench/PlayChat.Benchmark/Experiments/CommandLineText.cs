namespace PlayChat.Benchmark.Experiments;

/// <summary>Command lines as they are typed in the repository's folder.</summary>
internal static class CommandLineText
{
    private const string Program = "dotnet run -c Release --project bench/PlayChat.Benchmark --";

    /// <summary>Of any arguments.</summary>
    public static string Of(IEnumerable<string> arguments) => $"{Program} {string.Join(' ', arguments.Select(Quote))}";

    /// <summary>Of a run.</summary>
    public static string Of(ExperimentRun run, ExperimentSettings settings) =>
        (settings.ClientCpus is null ? string.Empty : $"taskset -c {settings.ClientCpus} ") + Of(ExperimentRunner.Arguments(run, settings));

    private static string Quote(string argument) =>
        argument.Length > 0 && argument.All(static letter => char.IsLetterOrDigit(letter) || "-_=:.,/+×".Contains(letter, StringComparison.Ordinal))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
