namespace PlayChat.Core.Rooms;

/// <summary>A snapshot of a room's waiting and completed work, returned by <see cref="Room.Activity"/>.</summary>
public readonly record struct RoomActivity
{
    /// <summary>The jobs and frames that wait for the room's turn, at most <see cref="RoomOptions.QueueItems"/>.</summary>
    public int QueuedJobs { get; init; }

    /// <summary>The bytes of the frames among them, at most <see cref="RoomOptions.QueueBytes"/> and one frame.</summary>
    public long QueuedBytes { get; init; }

    /// <summary>The jobs and frames that have run since the room was created. Timers and ticks are not counted.</summary>
    public long JobsExecuted { get; init; }
}
