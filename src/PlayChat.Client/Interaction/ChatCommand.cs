namespace PlayChat.Client.Interaction;

/// <summary>
/// A line whose first character that can be seen is a slash; an indented one is said as it is. Letter case does not count, and some names
/// that other chats have are known as well. What looks like a slash is one, so that a private line is not said to everybody.
/// </summary>
/// <param name="Name">The command with its slash, in lower case.</param>
internal readonly record struct ChatCommand(string Name, string Argument)
{
    public const string Help =
        "/join ROOM   /create NAME " + RoomArguments.CreateOptions + "   /exit leave the room   /rooms   "
        + "/members who is here   /history earlier messages   "
        + "/msg NAME TEXT to one player   /dm NAME TEXT and /conversations stored messages   /block NAME   /unblock NAME   /me ACTION   "
        + "/edit TEXT /delete your last message   /react EMOJI to the newest message   /report REASON to the moderators   "
        + "/edit -2 TEXT, /react -2 EMOJI and so on: the message before   /search WORDS   "
        + "/account   /clear   /quit end   /help   //text says /text   "
        + "Moderators: /mute /unmute /kick /ban /unban /invite NAME   /reports   /resolve NUMBER   /topic TEXT   /slow SECONDS   "
        + "/capacity NUMBER   /password   /lock   /unlock   Owners: /role NAME ROLE   /remove ROOM";

    private const string Me = "/me";

    /// <summary>The other names of commands. clients/web/src/commands.ts has the same names and sentences.</summary>
    public static IReadOnlyDictionary<string, string> OtherNames { get; } = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        ["/part"] = "/exit",
        ["/leave"] = "/exit",
        ["/query"] = "/msg",
        ["/ignore"] = "/block",
        ["/unignore"] = "/unblock",
        ["/names"] = "/members",
        ["/list"] = "/rooms",
    };

    /// <summary>The sentences about commands that there are not.</summary>
    public static IReadOnlyDictionary<string, string> Advices { get; } = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        [Me] = "Type what you do behind it: /me waves.",
        ["/op"] = "Give a member a role: /role NAME moderator.",
        ["/whois"] = "Nothing is known of a player but the name. /members lists the players in a room.",
        ["/nick"] = "A name belongs to an account. Log in again to use another one.",
    };

    public static IReadOnlyList<string> All { get; } =
    [
        "/join", "/create", "/exit", "/rooms", "/members", "/history", "/msg", "/dm", "/conversations", "/block", "/unblock", Me, "/edit",
        "/delete", "/mute", "/unmute", "/kick", "/ban", "/unban", "/invite", "/role", "/remove", "/topic", "/slow", "/capacity",
        "/password", "/lock", "/unlock", "/search", "/react", "/report", "/reports", "/resolve", "/account", "/clear", "/help", "/quit",
    ];

    public string Advice => Advices.GetValueOrDefault(Name, $"There is no command {Name}. {Help}");

    /// <returns>Null for something to say: <see cref="TextOf"/>.</returns>
    public static ChatCommand? Read(string line)
    {
        line = Seen(line).TrimEnd();
        if (!BeginsWithSlash(line) || BeginsWithSlash(line.AsSpan(1)))
        {
            return null;
        }

        string typed = string.Concat(line.TakeWhile(static c => !char.IsWhiteSpace(c)));
        string name = "/" + typed[1..].ToLowerInvariant();
        string argument = line[typed.Length..].Trim();
        return name == Me && argument.Length > 0 ? null : new ChatCommand(OtherNames.GetValueOrDefault(name, name), argument);
    }

    /// <summary>What a line says that is no command: two slashes say one, and <c>/me waves</c> says <c>*waves*</c>.</summary>
    public static string TextOf(string line)
    {
        string seen = Seen(line);
        return !BeginsWithSlash(seen) ? line
            : BeginsWithSlash(seen.AsSpan(1)) ? seen[1..]
            : $"*{seen[Me.Length..].Trim()}*";
    }

    /// <summary>A line that says the text, whatever it begins with.</summary>
    public static string Quote(string text) => Seen(text) is var seen && BeginsWithSlash(seen) ? "/" + seen : text;

    // Input methods type the wide slash, and a text that is pasted may begin with what takes no place.
    private static bool BeginsWithSlash(ReadOnlySpan<char> text) => text is ['/' or '\u2044' or '\u2215' or '\uff0f', ..];

    /// <summary>The line without what takes no place before a slash.</summary>
    private static string Seen(string line)
    {
        int start = line.EnumerateRunes().TakeWhile(IsUnseen).Sum(static rune => rune.Utf16SequenceLength);
        return BeginsWithSlash(line.AsSpan(start)) ? line[start..] : line;
    }

    private static bool IsUnseen(Rune rune) => !Rune.IsWhiteSpace(rune)
        && (Rune.GetUnicodeCategory(rune) is UnicodeCategory.Format or UnicodeCategory.Control
            || rune.Value is 0x034f or 0x115f or 0x1160 or 0x3164 or 0xffa0 or (>= 0xfe00 and <= 0xfe0f));
}

/// <summary>
/// Finds what Tab may complete: a command, the room after <c>/join</c>, the player after <c>/msg</c>, or the name of a member.
/// </summary>
internal static class Completions
{
    private const string Join = "/join ";
    private const string Message = "/msg ";

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
