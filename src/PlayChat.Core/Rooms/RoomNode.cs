namespace PlayChat.Core.Rooms;

/// <summary>A node of the cluster, for a rule that says where a room is to run (<see cref="RoomSettings.Node"/>).</summary>
/// <param name="Name">Where clients reach the node: <c>RoomClusterOptions.Endpoint</c>.</param>
/// <param name="Rooms">The number of rooms that the node runs, as it has said within <c>RoomClusterOptions.SweepInterval</c>.</param>
/// <param name="Sessions">The number of sessions in question that the node has.</param>
public readonly record struct RoomNode(string Name, int Rooms, int Sessions);
