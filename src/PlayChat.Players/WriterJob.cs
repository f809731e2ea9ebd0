using Saves = System.Collections.Generic.Dictionary<PlayChat.Players.DocumentKey, PlayChat.Players.PlayerWrite>;

namespace PlayChat.Players;

/// <summary>What the loop of a writer does at once: writes saves, and then perhaps a transaction.</summary>
/// <param name="TakesAllReturned">Whether the job also writes what an earlier try did not write of players that it does not name.</param>
internal sealed record WriterJob(bool TakesAllReturned = false)
{
    /// <summary>By player: of each document the newest save. Players of a transaction are always there, also without saves.</summary>
    public Dictionary<string, Saves> Sets { get; } = new(StringComparer.Ordinal);

    /// <summary>The transaction; empty in a job without one.</summary>
    public IReadOnlyList<PlayerWrite> Writes { get; init; } = [];

    public TransactionKey? Key { get; init; }

    public TaskCompletionSource<TransactionResult>? Result { get; init; }

    /// <summary>Whether all saves were written.</summary>
    public TaskCompletionSource<bool> Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
