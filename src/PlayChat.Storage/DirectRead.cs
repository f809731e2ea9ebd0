namespace PlayChat.Storage;

/// <summary>How far a player has read a conversation.</summary>
public readonly record struct DirectRead(long PlayerId, long PartnerId, long Number);
