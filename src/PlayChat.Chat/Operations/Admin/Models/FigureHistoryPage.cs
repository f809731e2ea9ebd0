namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The figures of the last minutes.</summary>
internal sealed record FigureHistoryPage(
    double IntervalSeconds,
    IReadOnlyList<string> LatencyBounds, // the classes of latencyCounts, in their order
    IReadOnlyList<Figures> Points); // the oldest first
