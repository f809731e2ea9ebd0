namespace PlayChat.Matchmaking;

/// <summary>The figures of a queue at its latest pass. Immutable.</summary>
/// <param name="Players">The number of players in the queue, including those that an offer was made to and those that are away.</param>
/// <param name="Offered">The number of players that an offer was made to.</param>
/// <param name="LongestWait">The time that the oldest ticket has waited; zero if there is none.</param>
/// <param name="TypicalWait">The moving average of the time that matched players have waited; zero before the first match.</param>
/// <param name="Matches">The number of matches since the queue was created.</param>
public sealed record MatchQueueFigures(int Players, int Offered, TimeSpan LongestWait, TimeSpan TypicalWait, long Matches);
