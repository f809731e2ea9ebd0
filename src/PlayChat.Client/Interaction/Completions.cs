namespace PlayChat.Client.Interaction;

/// <summary>
/// Finds what Tab may complete: a command, the room after <c>/join</c>, the player after <c>/msg</c>, or the name of a member.
/// </summary>
internal static class Completions
{
    private const string Join = "/join ";
    private const string Message = "/msg ";

    /// <summary>Finds the texts that may replace what is before the cursor.</summary>
    /// <param name="before">What is before the cursor.</param>
    /// <param name="members">The names of the room's members.</param>
    /// <param name="players">The names of all players that the user can write to.</param>
    public static IReadOnlyList<string> Find(
        string before, IEnumerable<string> commands, IEnumerable<string> rooms, IEnumerable<string> members, IEnumerable<string> players)
    {
        if (before.StartsWith(Join, StringComparison.OrdinalIgnoreCase))
        {
            return Matching(before[Join.Length..].TrimStart(), rooms, static room => Join + room);
        }

        if (before.StartsWith(Message, StringComparison.OrdinalIgnoreCase)
            && Matching(before[Message.Length..].TrimStart(), players, static player => Message + player + " ") is { Length: > 0 } named)
        {
            return named; // without any, the text has begun, in which members are named
        }

        if (before.StartsWith('/') && !before.Contains(' ', StringComparison.Ordinal))
        {
            return Matching(before, commands, static command => command + " ");
        }

        int start = before.LastIndexOf(' ') + 1;
        string word = before[start..];
        string rest = before[..start];
        string end = start == 0 ? ": " : " "; // a name at the beginning of the line addresses the member
        return word.Length == 0 ? [] : Matching(word, members, name => rest + name + end);
    }

    private static string[] Matching(string prefix, IEnumerable<string> candidates, Func<string, string> complete) =>
        [.. candidates.Where(candidate => candidate.StartsWith(prefix, StringComparison.CurrentCultureIgnoreCase))
            .Distinct(StringComparer.Ordinal).Order(StringComparer.CurrentCultureIgnoreCase).Select(complete)];
}
