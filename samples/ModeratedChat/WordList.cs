namespace ModeratedChat;

/// <summary>A text with a word of words.txt is not said; moderators see it in the list of reviews.</summary>
internal sealed class WordList(Reviews reviews) : IChatRules
{
    private readonly HashSet<string> _words = File.ReadLines(Path.Combine(AppContext.BaseDirectory, "words.txt"))
        .Where(static line => line.Length > 0 && line[0] != '#').ToHashSet(StringComparer.OrdinalIgnoreCase);

    public ValueTask<ChatTextDecision> ReadTextAsync(SessionUser player, long roomId, string text, CancellationToken cancellationToken)
    {
        bool isListed = text.Split([' ', ',', '.', '!', '?']).Any(_words.Contains);
        if (isListed)
        {
            reviews.Add(new Review(player.Name, roomId, text));
        }

        return new(isListed ? ChatTextDecision.Refuse("A moderator looks at this text. Say it in other words.") : ChatTextDecision.Keep);
    }
}
