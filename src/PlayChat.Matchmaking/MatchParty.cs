namespace PlayChat.Matchmaking;

/// <summary>The party of a ticket. Its players enter the queue one by one, and wait and play together.</summary>
/// <param name="Key">Names the party, the same for all its players. Let the server choose it, so that no stranger can guess it.</param>
/// <param name="Size">The number of its players, from 1 to the size of the largest team.</param>
public readonly record struct MatchParty(string Key, int Size);
