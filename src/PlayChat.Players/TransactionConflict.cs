namespace PlayChat.Players;

/// <summary>A write whose condition did not hold.</summary>
/// <param name="Index">The place of the write in the transaction, from 0.</param>
/// <param name="Key">Its document.</param>
/// <param name="FoundVersion">The version that the document has, or <see cref="PlayerWrite.Absent"/>.</param>
public sealed record TransactionConflict(int Index, DocumentKey Key, long FoundVersion);
