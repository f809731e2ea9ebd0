namespace PlayChat.Core.Rooms;

/// <summary>Says which rooms to list. A room must meet all conditions that are set.</summary>
public sealed class RoomQuery
{
    private readonly int _limit = 100;

    /// <summary>Lists only rooms with a higher id: pass the id of the last room of the previous page. Default 0, the first page.</summary>
    public long AfterId { get; init; }

    /// <summary>The most rooms in the page, 1–10,000. Default 100.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    public int Limit
    {
        get => _limit;
        init => _limit = value is >= 1 and <= 10_000
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A page has 1 to 10,000 rooms.");
    }

    /// <summary>The beginning of the names; upper and lower case are the same.</summary>
    public string? NamePrefix { get; init; }

    /// <summary>Properties that the rooms have, with these values.</summary>
    public IReadOnlyDictionary<string, string>? Properties { get; init; }

    /// <summary>Whether to list only rooms with a free seat and without a lock.</summary>
    public bool OnlyJoinable { get; init; }

    /// <summary>
    /// A condition of the application's own. It is called outside the rooms' turns for each room that meets the others, so it must be
    /// thread-safe and quick.
    /// </summary>
    public Func<Room, bool>? Where { get; init; }

    /// <summary>Returns whether a room meets the conditions at this moment.</summary>
    internal bool Matches(Room room, RoomDescription info) =>
        (NamePrefix is null || info.Name.StartsWith(NamePrefix, StringComparison.OrdinalIgnoreCase))
        && (!OnlyJoinable || info.IsJoinable)
        && (Properties is null
            || Properties.All(wanted => info.Properties.TryGetValue(wanted.Key, out string? value) && value == wanted.Value))
        && (Where is null || Where(room));
}
