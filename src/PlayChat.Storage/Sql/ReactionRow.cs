namespace PlayChat.Storage.Sql;

/// <summary>A row of the table chat_reaction, or what a group of them comes to.</summary>
internal sealed class ReactionRow
{
    public long Sequence { get; set; }

    public string Emoji { get; set; } = "";

    public int Count { get; set; }

    public int Own { get; set; }

    public StoredTime ReactedAt { get; set; }
}
