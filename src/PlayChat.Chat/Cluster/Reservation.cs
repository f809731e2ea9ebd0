namespace PlayChat.Chat.Cluster;

/// <summary>What came of a player's wish to enter a room of the cluster.</summary>
/// <param name="Replica">The replica, which the player can enter; <see langword="null"/> when it may not.</param>
/// <param name="Error">Why it may not.</param>
/// <param name="Refusal">Why the room itself refuses it.</param>
/// <param name="Capacity">The most players in the room, where that is why.</param>
internal readonly record struct Reservation(LogOrder? Replica, ErrorCode Error, string? Refusal = null, int Capacity = 0);
