namespace PlayChat.Storage.Sql;

/// <summary>A row of the table chat_reaction, or what a group of them comes to.</summary>
[method: ExplicitConstructor]
internal sealed record ReactionRow(long Sequence, string Emoji, int Count, int Own, StoredTime ReactedAt);
