namespace PlayChat.Core.Tests.Packets;

/// <summary>A message that is JSON.</summary>
internal sealed record JsonMove(string Name, double X);
