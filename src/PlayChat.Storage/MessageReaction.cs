namespace PlayChat.Storage;

/// <summary>What players have reacted to a message with.</summary>
/// <param name="Sequence">The message.</param>
/// <param name="Emoji">One emoji.</param>
/// <param name="Count">The number of players.</param>
/// <param name="IsOwn">Whether the player that reads this is one of them.</param>
public sealed record MessageReaction(long Sequence, string Emoji, int Count, bool IsOwn);
