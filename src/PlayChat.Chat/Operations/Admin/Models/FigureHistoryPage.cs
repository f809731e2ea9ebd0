namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The figures of the last minutes.</summary>
/// <param name="IntervalSeconds">The time between two points.</param>
/// <param name="LatencyBounds">The classes of latencyCounts, in their order.</param>
/// <param name="Points">The oldest first.</param>
internal sealed record FigureHistoryPage(
    double IntervalSeconds,
    IReadOnlyList<string> LatencyBounds,
    IReadOnlyList<Figures> Points);
