namespace PlayChat.Storage;

/// <summary>What became of a direct message.</summary>
/// <param name="Status">Whether it is stored.</param>
/// <param name="Number">Its place in the conversation, if it is stored.</param>
public readonly record struct DirectOutcome(DirectStatus Status, long Number = 0);
