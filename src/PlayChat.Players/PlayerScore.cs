namespace PlayChat.Players;

/// <summary>A score on a board.</summary>
/// <param name="Board">1 to 64 visible ASCII characters.</param>
/// <param name="Player">The player; the same rules as for <see cref="DocumentKey"/>.</param>
/// <param name="Run">What the score was made in: 1 to 128 visible ASCII characters. With a name for each match, a board shows a player
/// as often as it played; with one name for all matches, once.</param>
/// <param name="Score">Greater is better.</param>
public sealed record PlayerScore(string Board, string Player, string Run, long Score);
