namespace PlayChat.Storage.ChatLog;

/// <summary>What a stopped <see cref="ChatLogWriter"/> leaves behind.</summary>
/// <param name="NotStored">Records that were accepted and did not reach every sink in time, those that a sink gave up included; 0 when nothing was lost.</param>
/// <param name="NotStoredBySink">How many of them each sink lacks, by its name.</param>
public sealed record ChatLogStopReport(long NotStored, IReadOnlyDictionary<string, long> NotStoredBySink)
{
    /// <summary>Whether every accepted record is in every sink.</summary>
    public bool IsComplete => NotStored == 0;
}
