namespace PlayChat.Core.Rooms;

/// <summary>Bounds of rooms. Set before start; they hold for every room of a server.</summary>
public sealed class RoomOptions
{
    /// <summary>
    /// Jobs that may wait for a room's turn, 16–1,048,576. Default 1,024. When it is full a post is refused, and an awaited one waits, so
    /// that the room's senders are not read any further.
    /// </summary>
    public int QueueItems { get; set; } = 1024;

    /// <summary>
    /// Bytes of frames that may wait for a room's turn (<see cref="Room.PostFrame"/>), 4,096–1,073,741,824. Default 256 KiB. When they are reached a
    /// post is refused, and an awaited one waits; one frame is taken by an empty queue however large it is. Jobs are counted by
    /// <see cref="QueueItems"/> alone.
    /// </summary>
    public int QueueBytes { get; set; } = 256 * 1024;

    /// <summary>
    /// Jobs one turn takes before it gives its thread to other rooms, 1–65,536. Default 256. What a turn broadcasts goes out together.
    /// </summary>
    public int MaxItemsPerTurn { get; set; } = 256;

    /// <summary>
    /// The time between two flushes of a busy room, 0 to 1 second. Default 0: every turn flushes. A room flushes at once when its last
    /// flush is older than this, else when this has passed since then; so a quiet room pays no delay, and a busy one sends less often. Each room keeps its own
    /// time, so that their sends are spread. A timer or tick of the room that is due before is served, and flushed, in time. A room that has more to do than one turn
    /// takes goes on at once. Exact to about 0.1 ms on an event loop of the native Linux transport, elsewhere to what the system's
    /// timed waits are: a millisecond on Linux, up to 16 on Windows.
    /// </summary>
    public TimeSpan FlushInterval { get; set; } = TimeSpan.Zero;

    /// <summary>Members a room takes, 1–1,000,000. Default 10,000.</summary>
    public int MaxMembers { get; set; } = 10_000;

    internal IEnumerable<string> Validate(string path)
    {
        if (QueueItems is < 16 or > 1_048_576)
        {
            yield return $"{path}:{nameof(QueueItems)} is {QueueItems}; allowed is 16 to 1048576.";
        }

        if (QueueBytes is < 4096 or > 1024 * 1024 * 1024)
        {
            yield return $"{path}:{nameof(QueueBytes)} is {QueueBytes}; allowed is 4096 to 1073741824.";
        }

        if (MaxItemsPerTurn is < 1 or > 65_536)
        {
            yield return $"{path}:{nameof(MaxItemsPerTurn)} is {MaxItemsPerTurn}; allowed is 1 to 65536.";
        }

        if (FlushInterval < TimeSpan.Zero || FlushInterval > TimeSpan.FromSeconds(1))
        {
            yield return $"{path}:{nameof(FlushInterval)} is {FlushInterval}; allowed is 00:00:00 to 00:00:01.";
        }

        if (MaxMembers is < 1 or > 1_000_000)
        {
            yield return $"{path}:{nameof(MaxMembers)} is {MaxMembers}; allowed is 1 to 1000000.";
        }
    }
}
