namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room of the server.</summary>
/// <param name="Id">The room's id.</param>
/// <param name="Name">The room's name.</param>
/// <param name="Members">The number of members, those that are away included.</param>
/// <param name="Capacity">The most members.</param>
/// <param name="IsPrivate">Whether clients do not see the room in their lists.</param>
/// <param name="IsLocked">Whether the room refuses joins.</param>
/// <param name="HasPassword">Whether a join needs a password.</param>
/// <param name="OwnerId">The owner's id; null for none.</param>
/// <param name="QueuedJobs">Jobs that wait for the room's turn.</param>
/// <param name="MaxQueuedJobs">The most jobs that may wait (PlayChat:Rooms:QueueItems).</param>
/// <param name="QueuedBytes">The bytes of the frames that wait.</param>
/// <param name="JobsExecuted">Jobs that have run since the room was created.</param>
/// <param name="JobsPerSecond">Jobs per second within the measured time; null when it was not measured.</param>
internal sealed record RoomSummary(
    long Id,
    string Name,
    int Members,
    int Capacity,
    bool IsPrivate,
    bool IsLocked,
    bool HasPassword,
    long? OwnerId,
    int QueuedJobs,
    int MaxQueuedJobs,
    long QueuedBytes,
    long JobsExecuted,
    double? JobsPerSecond);
