namespace PlayChat.Cluster.Tests.Rooms;

internal sealed record Say(string Text);
