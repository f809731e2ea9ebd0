namespace PlayChat.Storage.Sql;

/// <summary>What a group of rows of the table chat_reaction comes to.</summary>
internal sealed class ReactionRow
{
    public long Sequence { get; set; }

    public string Emoji { get; set; } = "";

    public int Count { get; set; }

    public int Own { get; set; }
}
