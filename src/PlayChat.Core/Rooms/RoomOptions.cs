namespace PlayChat.Core.Rooms;

/// <summary>Bounds of rooms. Set them before start; they apply to every room of a server.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public sealed class RoomOptions
{
    /// <summary>
    /// The number of jobs that may wait for a room's turn. When that many wait, a post is refused and an awaited post waits, so the
    /// server stops reading from the room's senders.
    /// </summary>
    [Option(
        "Number of jobs that may wait for a room's turn.",
        Min = 16,
        Max = 1_048_576,
        WhenReached = "`Post` returns false. `PostAsync` waits, so the server stops reading from the sender.",
        SeenIn = "`playchat.room.jobs.refused`, `playchat.room.queue.peak`, `jobs q-peak` in the table")]
    public int QueueItems { get; set; } = 1024;

    /// <summary>
    /// The bytes of frames that may wait for a room's turn (<see cref="Room.PostFrame"/>). When that many wait, a post is refused and an
    /// awaited post waits. An empty queue takes one frame of any size. <see cref="QueueItems"/> alone bounds jobs without a frame.
    /// </summary>
    [Option(
        "Bytes of frames that may wait for a room's turn.",
        Min = 4096,
        Max = 1_073_741_824,
        WhenReached = "`PostFrame` returns false and `PostFrameAsync` waits. An empty queue takes one frame of any size.",
        SeenIn = "`playchat.room.jobs.refused`")]
    public int QueueBytes { get; set; } = 256 * 1024;

    /// <summary>
    /// The number of jobs that one turn runs before the room yields its thread to other rooms. A turn sends all its broadcasts together.
    /// </summary>
    [Option(
        "Number of jobs that a room runs before it yields its thread to other rooms.",
        Min = 1,
        Max = 65_536,
        WhenReached = "The turn ends and sends what it has broadcast. The room waits for its next turn behind other rooms.",
        SeenIn = "`job x/s` in the table")]
    public int MaxItemsPerTurn { get; set; } = 256;

    /// <summary>
    /// The time between two flushes of a busy room; zero flushes every turn. A room flushes at once when its last flush is older than
    /// this, otherwise when this time has passed since then. A quiet room therefore adds no delay, and a busy room sends less often.
    /// Each room keeps its own time, so the sends of many rooms are spread. A timer or tick that is due earlier runs, and is flushed, in
    /// time. A room that has more jobs than one turn takes continues at once. The precision is about 0.1 ms on an event loop of the
    /// native Linux transport. Elsewhere it is the precision of the system's timed waits: a millisecond on Linux, up to 16 on Windows.
    /// </summary>
    [Option("Time between two flushes of a busy room; 0 flushes every turn.", Min = "00:00:00", Max = "00:00:01")]
    public TimeSpan FlushInterval { get; set; } = TimeSpan.Zero;

    /// <summary>The number of members a room takes.</summary>
    [Option(
        "Number of members a room takes.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "`Join` returns `Full`.")]
    public int MaxMembers { get; set; } = 10_000;

    /// <summary>The number of rooms that one session may be a member of at the same time. The default is no limit.</summary>
    [Option(
        "Number of rooms that one session may be a member of at the same time.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "A join and `Join` return `TooManyRooms`.")]
    public int MaxRoomsPerSession { get; set; } = 10_000_000;

    internal IEnumerable<string> Validate(string path) => OptionRule.FindProblems(this, path + ":");
}
