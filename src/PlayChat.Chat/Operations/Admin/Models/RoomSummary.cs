namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room of the server.</summary>
internal sealed record RoomSummary(
    long Id,
    string Name,
    int Members, // those that are away included
    int Capacity,
    bool IsPrivate, // clients do not see it in their lists
    bool IsLocked, // it refuses joins
    bool HasPassword, // a join needs it
    long? OwnerId, // null for none
    int QueuedJobs, // for the room's turn
    int MaxQueuedJobs, // PlayChat:Rooms:QueueItems
    long QueuedBytes, // of the frames that wait
    long JobsExecuted, // since the room was created
    double? JobsPerSecond); // within the measured time; null when it was not measured
