namespace PlayChat.Client.Interaction;

/// <summary>
/// A line whose first character is a slash; an indented one is said as it is. Letter case does not count, and some names that other chats
/// have are known as well.
/// </summary>
/// <param name="Name">The command with its slash, in lower case.</param>
/// <param name="Argument">What follows it.</param>
internal readonly record struct ChatCommand(string Name, string Argument)
{
    /// <summary>What help texts say about the commands.</summary>
    public const string Help =
        "/join ROOM   /create NAME   /exit leave the room   /rooms   /members who is here   /history earlier messages   "
        + "/msg NAME TEXT to one player   /me ACTION   /clear   /quit end   /help   //text says /text";

    /// <summary>What the user is told that has left out the room.</summary>
    public const string JoinUsage = "Type the number or the name of the room: /join ROOM.";

    private const string Me = "/me";

    // Other names. clients/web/src/commands.ts has the same names and sentences.
    private static readonly Dictionary<string, string> s_names = new(StringComparer.Ordinal)
    {
        ["/part"] = "/exit",
        ["/leave"] = "/exit",
        ["/query"] = "/msg",
        ["/names"] = "/members",
        ["/list"] = "/rooms",
    };

    private static readonly Dictionary<string, string> s_advice = new(StringComparer.Ordinal)
    {
        [Me] = "Type what you do behind it: /me waves.",
        ["/topic"] = "A room has no topic: its name says what it is about.",
        ["/whois"] = "Nothing is known of a player but the name. /members lists the players in a room.",
        ["/ignore"] = "You can't ignore a player here. Leave the room, or tell the operator of the server.",
        ["/nick"] = "A name belongs to an account. Log in again to use another one.",
    };

    /// <summary>The commands, for completion.</summary>
    public static IReadOnlyList<string> All { get; } =
        ["/join", "/create", "/exit", "/rooms", "/members", "/history", "/msg", Me, "/clear", "/help", "/quit"];

    /// <summary>The other names of commands.</summary>
    public static IReadOnlyDictionary<string, string> OtherNames => s_names;

    /// <summary>The sentences about commands that there are not.</summary>
    public static IReadOnlyDictionary<string, string> Advices => s_advice;

    /// <summary>What the user is told whose command is unknown here.</summary>
    public string Advice => s_advice.GetValueOrDefault(Name, $"There is no command {Name}. {Help}");

    /// <summary>Reads a line.</summary>
    /// <returns>Null for something to say: <see cref="TextOf"/>.</returns>
    public static ChatCommand? Read(string line)
    {
        if (!line.StartsWith('/') || line.StartsWith("//", StringComparison.Ordinal))
        {
            return null;
        }

        string[] parts = line.TrimEnd().Split(' ', 2);
        string name = parts[0].ToLowerInvariant();
        string argument = parts.Length > 1 ? parts[1].Trim() : "";
        return name == Me && argument.Length > 0 ? null : new ChatCommand(s_names.GetValueOrDefault(name, name), argument);
    }

    /// <summary>
    /// What a line says that is no command: two slashes at its beginning say one, and <c>/me waves</c> says <c>*waves*</c>.
    /// </summary>
    public static string TextOf(string line) => !line.StartsWith('/') ? line
        : line.StartsWith("//", StringComparison.Ordinal) ? line[1..]
        : $"*{line[Me.Length..].Trim()}*";
}
