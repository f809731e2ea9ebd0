namespace PlayChat.Cluster.Log;

/// <summary>The header of a batch.</summary>
public readonly record struct BatchHeader
{
    /// <summary>The node that wrote it.</summary>
    public RecordOrigin Origin { get; init; }

    /// <summary>
    /// Counts the batches of one origin in one shard, from 1 on without holes. A repeated number is a repeated batch. 0 marks a greeting,
    /// which is not counted: see <see cref="RecordBatch.WriteHello"/>.
    /// </summary>
    public long Number { get; init; }

    /// <summary>The epoch of the log as its writer knew it; 0 when the writer did not know.</summary>
    public uint Epoch { get; init; }

    /// <summary>How many records it has, 0 to 4,096.</summary>
    public int Count { get; init; }
}
