namespace PlayChat.Client.Screens;

/// <summary>The server's rooms as last listed, and the room that a number or name means.</summary>
/// <remarks><see cref="Rooms"/> may be read from any thread.</remarks>
internal sealed class RoomDirectory(ChatClient client, CancellationToken stop)
{
    // A list of rooms ends after this many pages; a user who looks for another room joins it by its number.
    private const int MaxPages = 5;

    private volatile IReadOnlyList<RoomInfo> _rooms = [];

    public IReadOnlyList<RoomInfo> Rooms => _rooms;

    /// <param name="wanted">The type and the properties that the rooms must have. <see cref="Rooms"/> changes only when there are
    /// none.</param>
    /// <returns>The headings and the rows of the table, nothing when there are no such rooms; and whether the server has more.</returns>
    public async Task<(List<string[]> Rows, bool HasMore)> ListAsync(CCreateRoomReq wanted)
    {
        var request = new CListRoomsReq { Type = wanted.Type, Properties = { wanted.Properties } };
        var rooms = new List<RoomInfo>();
        SListRoomsRes page;
        int pages = 0;
        do
        {
            page = await client.ListRoomsAsync(request, stop);
            rooms.AddRange(page.Rooms);
            request.AfterRoomId = page.LastRoomId;
        }
        while (page.More && ++pages < MaxPages);

        if (!IsFilter(wanted))
        {
            _rooms = rooms;
        }

        return (rooms.Count == 0 ? [] : ToTable(rooms), page.More);
    }

    public static bool IsFilter(CCreateRoomReq wanted) => wanted.Type.Length > 0 || wanted.Properties.Count > 0;

    public Task RefreshAsync() => ListAsync(new CCreateRoomReq());

    /// <param name="text">The room's number, or its name in any case. A script types the room's password behind the number.</param>
    /// <returns>The room's id, which may not exist when it was given as a number, and the password.</returns>
    /// <exception cref="FormatException">Why there is none.</exception>
    public async Task<(long RoomId, string Password)> FindAsync(string text)
    {
        if (text.Length == 0)
        {
            throw new FormatException("Type the number or the name of the room: /join ROOM.");
        }

        string[] words = text.Split(' ', 2);
        bool isNumber = long.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number > 0;
        if (isNumber && words.Length == 1)
        {
            return (number, "");
        }

        await RefreshAsync();
        RoomInfo[] named = [.. _rooms.Where(room => room.Name.Equals(text, StringComparison.OrdinalIgnoreCase))];
        string numbers = string.Join(", ", named.Select(static room => $"{room.RoomId} ({room.Members} of {room.MaxMembers} members)"));
        return named.Length switch
        {
            1 => (named[0].RoomId, ""),
            _ when isNumber => (number, words[1]),
            0 => throw new FormatException($"There is no room \"{text}\"."),
            _ => throw new FormatException($"{named.Length} rooms are called \"{text}\": join one by its number, {numbers}."),
        };
    }

    private static List<string[]> ToTable(List<RoomInfo> rooms)
    {
        bool hasKinds = rooms.Exists(static room => KindOf(room).Length > 0);
        return
        [
            hasKinds ? ["No.", "Room", "Type", "Members"] : ["No.", "Room", "Members"],
            .. rooms.Select(room => (string[])[$"{room.RoomId}", room.Name, .. hasKinds ? [KindOf(room)] : Array.Empty<string>(),
                $"{room.Members}/{room.MaxMembers}{DoorOf(room)}"]),
        ];
    }

    private static string DoorOf(RoomInfo room) =>
        room.Terms is not { } terms ? "" : terms.Locked ? " locked" : terms.HasPassword ? " password" : "";

    private static string KindOf(RoomInfo room) => string.Join(
        ' ',
        room.Properties.OrderBy(static property => property.Key, StringComparer.Ordinal)
            .Select(static property => $"{property.Key}={property.Value}").Prepend(room.Type)).Trim();
}
