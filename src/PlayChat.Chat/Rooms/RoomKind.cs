using System.Text.Json;

namespace PlayChat.Chat.Rooms;

/// <summary>What kind of room a chat room is, as its creator and its moderators chose. Immutable.</summary>
/// <param name="Type">Empty for none.</param>
/// <param name="Properties">The room's properties. Not changed after construction.</param>
/// <param name="CreatorId">The player that may enter first, whose quota has the room; 0 for none.</param>
/// <param name="IsPrivate">Whether no list has it, and only players that were invited enter.</param>
/// <param name="Topic">What it is about, as a moderator has said; empty for nothing.</param>
/// <param name="SlowSeconds">A member speaks once in so many seconds; 0 for as often as it likes.</param>
/// <param name="Capacity">The most players in it at once; 0 for as many as the server allows.</param>
/// <param name="PasswordHash">Of the password that players need which are no members; <see langword="null"/> for none.</param>
/// <param name="IsLocked">Whether only members and its creator enter.</param>
internal sealed record RoomKind(
    string Type,
    Dictionary<string, string> Properties,
    long CreatorId = 0,
    bool IsPrivate = false,
    string Topic = "",
    uint SlowSeconds = 0,
    uint Capacity = 0,
    string? PasswordHash = null,
    bool IsLocked = false)
{
    public static RoomKind None { get; } = new("", new Dictionary<string, string>(StringComparer.Ordinal));

    /// <summary>Whether a list that a player asks for has rooms of this kind.</summary>
    public bool Matches(CListRoomsReq query) =>
        !IsPrivate
        && (query.Type.Length == 0 || Type == query.Type)
        && query.Properties.All(wanted => Properties.TryGetValue(wanted.Key, out string? value) && value == wanted.Value);

    /// <summary>Describes a room of this kind in a list.</summary>
    public RoomInfo Describe(long roomId, string name, int members, int maxMembers) => new()
    {
        RoomId = roomId,
        Name = name,
        Members = (uint)members,
        MaxMembers = (uint)CapacityOf(maxMembers),
        Type = Type,
        Properties = { Properties },
        Terms = ToTerms(),
    };

    /// <summary>The most players in it at once, where the server allows so many.</summary>
    public int CapacityOf(int maxMembers) => Capacity == 0 ? maxMembers : (int)Math.Min(Capacity, (uint)maxMembers);

    /// <summary>What moderators have set; <see langword="null"/> for nothing.</summary>
    public RoomTerms? ToTerms() =>
        Topic.Length == 0 && SlowSeconds == 0 && Capacity == 0 && PasswordHash is null && !IsLocked ? null
            : new RoomTerms
            {
                Topic = Topic,
                SlowModeSeconds = SlowSeconds,
                Capacity = Capacity,
                HasPassword = PasswordHash is not null,
                Locked = IsLocked,
            };

    /// <summary>The text that the store keeps; <see langword="null"/> for a room of which there is nothing to keep.</summary>
    public string? ToAttributes() =>
        Type.Length == 0 && Properties.Count == 0 && CreatorId == 0 && !IsPrivate && ToTerms() is null ? null
            : JsonSerializer.Serialize(this);

    /// <summary>Reads what <see cref="ToAttributes"/> wrote.</summary>
    /// <exception cref="JsonException">The text is something else.</exception>
    public static RoomKind Parse(string? attributes) =>
        attributes is null ? None : JsonSerializer.Deserialize<RoomKind>(attributes) ?? None;
}
