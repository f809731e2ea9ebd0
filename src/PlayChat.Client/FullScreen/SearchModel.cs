namespace PlayChat.Client.FullScreen;

/// <summary>A search in a conversation: what is looked for, and what was found last.</summary>
internal sealed class SearchModel
{
    public LineEditor Editor { get; } = new(new InputPrompt("Search: "));

    /// <summary>The line that was found; null when none was.</summary>
    public int? Line { get; set; }
}
