namespace PlayChat.Cluster.Log;

/// <summary>Why a handler misses records.</summary>
public enum GapReason
{
    /// <summary>The log no longer has them: they were older than its retention.</summary>
    Trimmed = 0,

    /// <summary>The log was replaced by a new one, in which positions of the old one have no meaning.</summary>
    NewEpoch = 1,

    /// <summary>Batches of one node are missing between two others of it.</summary>
    OriginSkipped = 2,

    /// <summary>A batch is damaged, or of a version that this program does not know. Its records were not handled.</summary>
    Unreadable = 3,

    /// <summary>Batches of whichever node are missing between two others, in a log whose offsets have no gaps.</summary>
    Skipped = 4,
}
