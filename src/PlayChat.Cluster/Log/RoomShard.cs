namespace PlayChat.Cluster.Log;

/// <summary>Assigns rooms to shards.</summary>
public static class RoomShard
{
    /// <summary>Returns the shard of a room. The same on every node and in every version: logs depend on it.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="shardCount">How many shards there are; at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="shardCount"/> is below 1.</exception>
    public static int Of(long roomId, int shardCount)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(shardCount, 1);

        // The finalizer of SplitMix64: room ids are often consecutive or multiples of something, and every bit must count.
        ulong hash = unchecked((ulong)roomId);
        hash = unchecked((hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9);
        hash = unchecked((hash ^ (hash >> 27)) * 0x94D049BB133111EB);
        return (int)((hash ^ (hash >> 31)) % (ulong)shardCount);
    }
}
