namespace PlayChat.Cluster.Tests.Sessions;

/// <summary>A text, in both directions.</summary>
internal sealed record Notice(string Text);
