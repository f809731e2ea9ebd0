namespace PlayChat.Storage.ChatLog;

/// <summary>A record in the queue, and what it takes from the queue's bound.</summary>
internal readonly record struct QueuedRecord(ChatRecord Record, long AcceptedTimestamp, long Bytes, RecordTrace? Trace)
{
    // The struct itself in the queue and in its batch, three string headers, the channel's own share.
    private const int FixedBytes = 320;

    public static long EstimateBytes(in ChatRecord record) =>
        FixedBytes + (sizeof(char) * ((long)record.Text.Length + record.PlayerName.Length));
}
