using System.Globalization;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>The server's rooms as last listed, and the room that a number or name means.</summary>
/// <remarks><see cref="Rooms"/> may be read from any thread.</remarks>
internal sealed class RoomDirectory(ChatClient client)
{
    // A list of rooms ends after this many pages; a user who looks for another room joins it by its number.
    private const int MaxPages = 5;

    private volatile IReadOnlyList<RoomInfo> _rooms = [];

    /// <summary>The rooms of the last list.</summary>
    public IReadOnlyList<RoomInfo> Rooms => _rooms;

    /// <summary>Lists the rooms.</summary>
    /// <returns>Whether the server has more.</returns>
    public async Task<bool> RefreshAsync(CancellationToken cancellationToken)
    {
        var rooms = new List<RoomInfo>();
        SListRoomsRes page;
        int pages = 0;
        do
        {
            page = await client.ListRoomsAsync(rooms.LastOrDefault()?.RoomId ?? 0, cancellationToken: cancellationToken);
            rooms.AddRange(page.Rooms);
        }
        while (page.More && page.Rooms.Count > 0 && ++pages < MaxPages);

        _rooms = rooms;
        return page.More;
    }

    /// <summary>Refreshes the list for completion, where it does not matter when the server refuses.</summary>
    public async Task TryRefreshAsync(CancellationToken cancellationToken)
    {
        try
        {
            await RefreshAsync(cancellationToken);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ChatConnectionClosedException)
        {
            // Tab then completes the names of the list before.
        }
    }

    /// <summary>Finds the room that a user means.</summary>
    /// <param name="text">The room's number, or its name in any case.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The room's id, which may not exist when it was given as a number; otherwise 0 and why there is none.</returns>
    /// <exception cref="ChatErrorException">The server does not list its rooms now.</exception>
    /// <exception cref="TimeoutException">The server did not answer.</exception>
    public async Task<(long RoomId, string? Problem)> FindAsync(string text, CancellationToken cancellationToken)
    {
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number > 0)
        {
            return (number, null);
        }

        await RefreshAsync(cancellationToken);
        RoomInfo[] named = [.. _rooms.Where(room => room.Name.Equals(text, StringComparison.OrdinalIgnoreCase))];
        return named.Length switch
        {
            0 => (0, $"There is no room \"{text}\"."),
            1 => (named[0].RoomId, null),
            _ => (0, $"{named.Length} rooms are called \"{text}\": join one by its number, "
                + $"{string.Join(", ", named.Select(static room => room.RoomId.ToString(CultureInfo.InvariantCulture)))}."),
        };
    }

    /// <summary>The rooms as a table for the user.</summary>
    public ScreenTable ToTable() => new(["No.", "Room", "Members"], [.. _rooms.Select(static room => (string[])
    [
        room.RoomId.ToString(CultureInfo.InvariantCulture),
        room.Name,
        string.Create(CultureInfo.InvariantCulture, $"{room.Members}/{room.MaxMembers}"),
    ])]);
}
