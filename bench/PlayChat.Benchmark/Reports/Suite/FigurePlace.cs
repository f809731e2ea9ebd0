namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>Where a figure belongs in a suite's report.</summary>
/// <param name="Experiment">The experiment's name.</param>
/// <param name="Subject">The server.</param>
/// <param name="Case">The case.</param>
/// <param name="Key">The figure's key.</param>
internal readonly record struct FigurePlace(string Experiment, string Subject, string Case, string Key)
{
    /// <summary>The place without the figure, as a change shows it.</summary>
    public string Where => $"{Experiment}, {Subject}, {Case}";
}
