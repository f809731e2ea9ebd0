namespace PlayChat.Matchmaking;

/// <summary>What a player in a queue may know. It has no position: a younger ticket may find its match first.</summary>
/// <param name="State">What has become of the player.</param>
/// <param name="Waited">The time since its ticket entered the queue.</param>
/// <param name="TypicalWait">The moving average of the time that matched players have waited; zero before the first match.</param>
/// <param name="AnswerWithin">The time that is left to accept, while the state is <see cref="MatchState.Offered"/>; otherwise zero.</param>
public readonly record struct MatchStatus(MatchState State, TimeSpan Waited, TimeSpan TypicalWait, TimeSpan AnswerWithin);
