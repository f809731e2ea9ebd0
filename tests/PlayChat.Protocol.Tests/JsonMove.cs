namespace PlayChat.Protocol.Tests;

/// <summary>A message that is JSON.</summary>
internal sealed record JsonMove(string Name, double X);
