namespace PlayChat.Cluster.Tests.Rooms;

internal sealed record Enter(string Name);
