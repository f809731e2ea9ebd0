namespace PlayChat.Players;

/// <summary>Tells whether a transaction has happened.</summary>
/// <param name="Conflict">The write whose condition did not hold, so that nothing has happened; null if the transaction has happened.
/// Of several such writes it is one.</param>
/// <param name="Versions">The new version of each document in the order of the writes, 0 for a deleted one; empty after a conflict. Of
/// a repeated transaction they are the versions of the first, in the order of its writes.</param>
/// <param name="IsRepeat">Whether an earlier call with the same <see cref="TransactionKey"/> did the work and this one did nothing.</param>
public sealed record TransactionResult(TransactionConflict? Conflict, IReadOnlyList<long> Versions, bool IsRepeat = false)
{
    /// <summary>Whether the transaction has happened, by this call or by an earlier one.</summary>
    public bool HasHappened => Conflict is null;
}
