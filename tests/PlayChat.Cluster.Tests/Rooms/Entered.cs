namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>The answer to a join: <c>ok</c>, or the result and the reason.</summary>
internal sealed record Entered(string Result);
