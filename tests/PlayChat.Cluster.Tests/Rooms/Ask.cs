namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A request to the room.</summary>
internal sealed record Ask(string Question);
