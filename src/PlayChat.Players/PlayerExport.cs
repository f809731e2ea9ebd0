namespace PlayChat.Players;

/// <summary>Everything that a store has about one player.</summary>
/// <param name="Player">The player.</param>
/// <param name="Documents">All documents, also those that the server alone reads, by collection and key.</param>
/// <param name="Scores">All scores, by board and run.</param>
/// <param name="TransactionKeys">The idempotency keys that the store still remembers.</param>
public sealed record PlayerExport(
    string Player, IReadOnlyList<PlayerDocument> Documents, IReadOnlyList<PlayerScore> Scores, IReadOnlyList<string> TransactionKeys);
