namespace PlayChat.Cluster.Tests.Rooms;

internal sealed record Told(string Answer);
