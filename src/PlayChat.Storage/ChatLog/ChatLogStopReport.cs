namespace PlayChat.Storage.ChatLog;

/// <summary>Says whether a stopped <see cref="ChatLogWriter"/> has stored everything.</summary>
/// <param name="NotStored">
/// Accepted records that did not reach every sink in time, including those that a sink gave up; 0 when no record was lost.
/// </param>
/// <param name="NotStoredBySink">The number of these records that each sink lacks, by the sink's name.</param>
public sealed record ChatLogStopReport(long NotStored, IReadOnlyDictionary<string, long> NotStoredBySink)
{
    /// <summary>Whether every accepted record is in every sink.</summary>
    public bool IsComplete => NotStored == 0;
}
