namespace PlayChat.Server.Cluster;

/// <summary>
/// Finds out whether the log answers while the directory does not: it publishes a record that changes nothing, and expects to read it back.
/// Without it a node whose players are silent would notice a silent log only by its connection.
/// </summary>
/// <remarks>The loop of the node's lives asks; the reader of a shard tells of the answer.</remarks>
internal sealed class LogProbe(ClusterLife life, TimeProvider time)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    private long _askedAt; // only for the loop; 0 while no answer is due
    private long _answeredAt;

    /// <summary>After which silence the log is taken for unreachable.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(3);

    /// <summary>The log has given a record of this node back.</summary>
    public void NoteAnswer() => Volatile.Write(ref _answeredAt, time.GetTimestamp());

    /// <summary>Asks the log, if it was not asked lately.</summary>
    /// <returns>Whether it has owed an answer for too long.</returns>
    public bool IsSilent()
    {
        long answered = Volatile.Read(ref _answeredAt);
        bool isDue = _askedAt == 0 || (answered >= _askedAt && time.GetElapsedTime(_askedAt) >= s_interval);
        if (isDue)
        {
            _askedAt = time.GetTimestamp();
            life.PublishMark(shard: 0);
        }

        return answered < _askedAt && time.GetElapsedTime(_askedAt) >= Patience;
    }
}
