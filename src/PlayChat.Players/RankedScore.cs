namespace PlayChat.Players;

/// <summary>A line of a board.</summary>
/// <param name="Rank">From 1. Equal scores share a rank, and the ranks that they take up are left out: 1, 2, 2, 4.</param>
/// <param name="Score">The score.</param>
/// <param name="ScoredAt">When it was made, by the clock of the server that appended it; UTC, to the microsecond.</param>
public sealed record RankedScore(long Rank, PlayerScore Score, DateTimeOffset ScoredAt);
