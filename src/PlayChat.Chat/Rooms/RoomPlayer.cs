namespace PlayChat.Chat.Rooms;

/// <summary>A player in a chat room, with all its devices: one member for everybody else. Only the room's turn uses it.</summary>
internal sealed class RoomPlayer(Member shown)
{
    /// <summary>The player as clients see it. Shared: replaced, never changed.</summary>
    public Member Shown { get; set; } = shown;

    /// <summary>The sessions of the player that are members, in the order in which they entered. Replaced, never changed.</summary>
    public Session[] Devices { get; set; } = [];

    /// <summary>What the members hear when the player leaves for good; <see langword="null"/> while it has not asked to, and was not told
    /// to.</summary>
    public string? Farewell { get; set; }

    /// <summary>When it was said last that the player is writing, as a timestamp; 0 for never.</summary>
    public long TypedAt { get; set; }
}
