namespace PlayChat.Storage.ChatLog;

/// <summary>Records on their way to every sink. The list never changes.</summary>
internal sealed class ChatLogBatch(
    IReadOnlyList<ChatRecord> records, long bytes, int sinks, IReadOnlyList<RecordTrace>? traces = null)
{
    private int _sinksLeft = sinks;
    private int _failed;
    private volatile bool _hasLeftFirst;

    public IReadOnlyList<ChatRecord> Records { get; } = records;

    public long Bytes { get; } = bytes;

    /// <summary>The spans of the traced records; <see langword="null"/> for none.</summary>
    public IReadOnlyList<RecordTrace>? Traces { get; } = traces;

    /// <summary>Whether the first sink, the database, no longer needs the batch.</summary>
    public bool HasLeftFirst
    {
        get => _hasLeftFirst;
        set => _hasLeftFirst = value;
    }

    /// <summary>The number of records that the first sink, the database, refuses for good. Set before that sink finishes.</summary>
    public int Rejected { get; set; }

    /// <summary>Whether each sink that has finished has written it.</summary>
    public bool IsStored => Volatile.Read(ref _failed) == 0;

    /// <summary>Notes that one sink has finished.</summary>
    /// <returns>Whether it was the last.</returns>
    public bool Finish(bool stored)
    {
        if (!stored)
        {
            Volatile.Write(ref _failed, 1);
        }
        return Interlocked.Decrement(ref _sinksLeft) == 0;
    }
}
