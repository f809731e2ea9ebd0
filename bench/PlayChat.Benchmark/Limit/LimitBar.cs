namespace PlayChat.Benchmark.Limit;

/// <summary>What a server must meet in a scenario.</summary>
/// <param name="Expression">A figure, or its multiple: <c>cpu/C</c>.</param>
/// <param name="Value">The most that it may be; the least, where more is better.</param>
internal sealed record LimitBar(string Expression, double Value)
{
    /// <summary>The servers that have bars, in the order of a bar's figures.</summary>
    public static readonly IReadOnlyList<string> Servers = [.. LimitScenarios.OwnServers, LimitScenarios.Mapped, LimitScenarios.State];

    /// <summary>The bars of a server in <c>cpu/C 1.9 1.4 1.15; even 3 - 3</c>. A dash or nothing stands for none.</summary>
    public static IReadOnlyList<LimitBar> Parse(string bars, string server)
    {
        int place = Servers.ToList().IndexOf(server) + 1;
        return bars.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(static bar => bar.Split(' '))
            .Where(words => place > 0 && place < words.Length && words[place] != "-")
            .Select(words => new LimitBar(words[0], double.Parse(words[place], CultureInfo.InvariantCulture)))
            .ToArray();
    }

    /// <summary>Whether a figure meets it: its median, rounded to three digits; of the peak memory the highest.</summary>
    public bool IsMetBy(FigureRange? range, Figure figure)
    {
        double value = Math.Round((figure.Key == "peak" ? range?.Max : range?.Median) ?? double.NaN, 3);
        return figure.Better == Better.Higher ? value >= Value : value <= Value;
    }
}
