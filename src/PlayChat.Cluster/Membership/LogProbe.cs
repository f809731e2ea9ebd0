namespace PlayChat.Cluster.Membership;

/// <summary>Finds out whether the logs answer while the directory does not: it publishes records that change nothing, and expects to read
/// them back. Without it an idle node would notice a silent log only by its connection.</summary>
/// <remarks>The loop of the node's lives asks; the readers of the shards tell of the answers.</remarks>
internal sealed class LogProbe(IRoomBackplane backplane, TimeProvider time)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    private readonly long[] _answeredAt = new long[backplane.ShardCount]; // timestamps
    private long _askedAt; // since then an answer is due
    private long _repeatedAt;

    /// <summary>The log of a shard has given a probe of this node back.</summary>
    internal void NoteAnswer(int shard) => Volatile.Write(ref _answeredAt[shard], time.GetTimestamp());

    /// <summary>Asks the logs, if they were not asked lately.</summary>
    /// <returns>Whether one of them has owed its answer for too long.</returns>
    internal bool IsSilent(TimeSpan patience)
    {
        if (_repeatedAt == 0 || time.GetElapsedTime(_repeatedAt) >= s_interval)
        {
            _repeatedAt = time.GetTimestamp();
            _askedAt = HasAnswered() ? _repeatedAt : _askedAt;
            for (int shard = 0; shard < _answeredAt.Length; shard++)
            {
                backplane.Publish(shard, new RoomRecord { Kind = RecordKind.Probe });
            }
        }

        return !HasAnswered() && time.GetElapsedTime(_askedAt) >= patience;
    }

    private bool HasAnswered()
    {
        foreach (ref long answered in _answeredAt.AsSpan())
        {
            if (Volatile.Read(ref answered) < _askedAt)
            {
                return false;
            }
        }

        return true;
    }
}
