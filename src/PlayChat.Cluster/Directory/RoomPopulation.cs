namespace PlayChat.Cluster.Directory;

/// <summary>How many members a room has in the whole cluster.</summary>
/// <param name="RoomId">The room.</param>
/// <param name="Members">Its members on all nodes that are not lost, 1 or more.</param>
public readonly record struct RoomPopulation(long RoomId, int Members);
