namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What the members hear.</summary>
internal sealed record Said(string Text);
