namespace PlayChat.Cluster.Log;

/// <summary>A batch that goes to the log.</summary>
/// <param name="Number">Its number; pass it to <see cref="BatchQueue.Confirm"/>.</param>
/// <param name="Bytes">Its bytes, owned by the queue: valid until it is confirmed.</param>
public readonly record struct PendingBatch(long Number, ReadOnlyMemory<byte> Bytes);
