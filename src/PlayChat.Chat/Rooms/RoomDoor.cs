namespace PlayChat.Chat.Rooms;

/// <summary>Decides who enters a room. For the room's turn alone.</summary>
internal sealed class RoomDoor(ChatRoom room)
{
    /// <summary>Why a room refuses a player when it has as many as it may have.</summary>
    public const string Full = "full";

    /// <summary>Why a room refuses a player that needs its password.</summary>
    public const string PasswordNeeded = "password";

    /// <summary>Why a locked room refuses a player.</summary>
    public const string Locked = "locked";

    /// <summary>What keeps a player out: one of the reasons above, or a sentence; <see langword="null"/> for nothing.</summary>
    /// <param name="playerId">The player.</param>
    /// <param name="openedHash">The hash that its password belongs to; <see langword="null"/> when none was checked.</param>
    public string? FindBar(long playerId, string? openedHash) =>
        room.PlayerCount >= room.Capacity && !room.IsPresent(playerId) ? Full
        : room.Register.FindBar(playerId) is { } bar ? bar
        : room.FindPlayer(playerId) is not null || !room.CanModerate || room.Register.IsAtHome(playerId) ? null
        : room.Kind.IsLocked ? Locked
        : room.Kind.PasswordHash is { } hash && hash != openedHash ? PasswordNeeded
        : null;
}
