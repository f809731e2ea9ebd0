namespace PlayChat.Client.Interaction;

/// <summary>The name of a room and, behind it, its type and properties: <c>NAME --type TYPE --with KEY=VALUE</c>.</summary>
/// <param name="Name">What comes before the options; may be empty.</param>
/// <param name="Type">The type; empty when it was left out.</param>
/// <param name="Problem">What is wrong with the options; null when nothing is.</param>
internal sealed record RoomArguments(string Name, string Type, IDictionary<string, string> Properties, string? Problem)
{
    /// <summary>What help texts say about the options.</summary>
    public const string Options = "[--type TYPE] [--with KEY=VALUE]";

    /// <summary>The rule for the name, as a sentence.</summary>
    public static string NameRule { get; } = $"A room's name has 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen.";

    /// <summary>Whether there is a type or a property, which a list of rooms filters by.</summary>
    public bool IsFilter => Type.Length > 0 || Properties.Count > 0;

    private const string TypeOption = "--type";
    private const string PropertyOption = "--with";

    public static RoomArguments Parse(string text)
    {
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        int first = Array.FindIndex(words, static word => word is TypeOption or PropertyOption);
        if (first < 0)
        {
            return Of(text.Trim());
        }

        // The name keeps the spaces between its words.
        string name = text[..text.IndexOf(words[first], StringComparison.Ordinal)].Trim();
        string type = "";
        var properties = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int i = first; i < words.Length; i += 2)
        {
            string value = i + 1 < words.Length ? words[i + 1] : "";
            int equals = value.IndexOf('=', StringComparison.Ordinal);
            if (words[i] == TypeOption && value.Length > 0)
            {
                type = value;
            }
            else if (words[i] == PropertyOption && equals > 0 && equals < value.Length - 1)
            {
                properties[value[..equals]] = value[(equals + 1)..];
            }
            else
            {
                return Of(name) with { Problem = $"\"{words[i]} {value}\" is no option of a room: there are {Options}." };
            }
        }

        return new RoomArguments(name, type, properties, Problem: null);
    }

    private static RoomArguments Of(string name) =>
        new(name, Type: "", new Dictionary<string, string>(StringComparer.Ordinal), Problem: null);
}
