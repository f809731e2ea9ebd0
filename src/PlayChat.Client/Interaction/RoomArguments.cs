namespace PlayChat.Client.Interaction;

/// <summary>The name of a room and the options behind it: <c>NAME --type TYPE --with KEY=VALUE</c>.</summary>
internal static class RoomArguments
{
    public const string Options = "[--type TYPE] [--with KEY=VALUE]";

    public const string CreateOptions = Options + " [--private] [--capacity NUMBER] [--password WORD]";

    /// <param name="creates">Whether the room is new, and needs a name: a list has fewer options.</param>
    /// <returns>The name and the options; what was left out is empty.</returns>
    /// <exception cref="FormatException">What is wrong.</exception>
    public static CCreateRoomReq Parse(string text, bool creates = false)
    {
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        int first = Array.FindIndex(words, static word => word.StartsWith("--", StringComparison.Ordinal) && word.Length > 2);

        // The name keeps the spaces between its words.
        string name = first < 0 ? text : text[..text.IndexOf(words[first], StringComparison.Ordinal)];
        var room = new CCreateRoomReq { Name = name.Trim() };
        for (int i = first; i >= 0 && i < words.Length; i++)
        {
            string option = words[i];
            string value = option != "--private" && i + 1 < words.Length ? words[++i] : "";
            int equals = value.IndexOf('=', StringComparison.Ordinal);
            switch (option)
            {
                case "--type" when value.Length > 0:
                    room.Type = value;
                    break;
                case "--with" when equals > 0 && equals < value.Length - 1:
                    room.Properties[value[..equals]] = value[(equals + 1)..];
                    break;
                case "--private" when creates:
                    room.Private = true;
                    break;
                case "--capacity" when creates
                    && uint.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out uint capacity):
                    room.Capacity = capacity;
                    break;
                case "--password" when creates && value.Length > 0:
                    room.Password = value;
                    break;
                default:
                    string typed = $"{option} {value}".TrimEnd();
                    throw new FormatException($"\"{typed}\" is no option of a room: there are {(creates ? CreateOptions : Options)}.");
            }
        }

        return !creates || ChatRules.IsRoomName(room.Name) ? room
            : throw new FormatException($"A room's name has 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen.");
    }
}
