namespace PlayChat.Core.Tests.Packets;

/// <summary>A message whose properties may be missing.</summary>
internal sealed record JsonOrder(string Name, int Count = 5, JsonSuit Suit = JsonSuit.Clubs);
