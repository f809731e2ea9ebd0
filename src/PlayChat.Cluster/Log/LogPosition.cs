namespace PlayChat.Cluster.Log;

/// <summary>Where a record stands in the log of its shard. Positions of one shard compare in the log's order.</summary>
/// <param name="Epoch">Which log it is. A log that was deleted and made anew has a higher epoch.</param>
/// <param name="Offset">The batch's place in the log. Offsets rise; an engine may leave some out.</param>
/// <param name="Index">The record's place in its batch, 0 to 4095.</param>
public readonly record struct LogPosition(uint Epoch, long Offset, ushort Index) : IComparable<LogPosition>
{
    /// <summary>The most records that a batch holds: 4,096, because <see cref="Sequence"/> keeps 12 bits for them.</summary>
    public const int MaxBatchRecords = 1 << IndexBits;

    private const int IndexBits = 12;

    /// <summary>A number that rises with every record of one epoch, the same on every node. It is not dense.</summary>
    public long Sequence => (Offset << IndexBits) | Index;

    /// <summary>Whether one position is before another.</summary>
    public static bool operator <(LogPosition left, LogPosition right) => left.CompareTo(right) < 0;

    /// <summary>Whether one position is after another.</summary>
    public static bool operator >(LogPosition left, LogPosition right) => left.CompareTo(right) > 0;

    /// <summary>Whether one position is before another, or the same.</summary>
    public static bool operator <=(LogPosition left, LogPosition right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one position is after another, or the same.</summary>
    public static bool operator >=(LogPosition left, LogPosition right) => left.CompareTo(right) >= 0;

    /// <inheritdoc/>
    public int CompareTo(LogPosition other)
    {
        int epochs = Epoch.CompareTo(other.Epoch);
        return epochs != 0 ? epochs : Sequence.CompareTo(other.Sequence);
    }
}
