namespace PlayChat.Core.Rooms;

/// <summary>Which rooms to list. All that is given must hold.</summary>
public sealed class RoomQuery
{
    private readonly int _limit = 100;

    /// <summary>Only rooms with a higher id: that of the last room of the page before. Default 0, the first page.</summary>
    public long AfterId { get; init; }

    /// <summary>Most rooms in the page, 1–10,000. Default 100.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of range.</exception>
    public int Limit
    {
        get => _limit;
        init => _limit = value is >= 1 and <= 10_000
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A page has 1 to 10,000 rooms.");
    }

    /// <summary>How their names begin, letter for letter but for upper and lower case.</summary>
    public string? NamePrefix { get; init; }

    /// <summary>Properties that they have, with these values.</summary>
    public IReadOnlyDictionary<string, string>? Properties { get; init; }

    /// <summary>Only rooms with a free seat and without a lock.</summary>
    public bool OnlyJoinable { get; init; }

    /// <summary>A condition of the application's own: thread-safe and quick, for it is called outside of the rooms' turns, for each room that is looked at.</summary>
    public Func<Room, bool>? Where { get; init; }

    /// <summary>Whether a room is asked for; told by what it is at this moment.</summary>
    internal bool Matches(Room room, RoomInfo info) =>
        (NamePrefix is null || info.Name.StartsWith(NamePrefix, StringComparison.OrdinalIgnoreCase))
        && (!OnlyJoinable || info.IsJoinable)
        && (Properties is null || Properties.All(wanted => info.Properties.TryGetValue(wanted.Key, out string? value) && value == wanted.Value))
        && (Where is null || Where(room));
}
