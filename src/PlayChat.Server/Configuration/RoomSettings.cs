namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Rooms</c>.</summary>
internal sealed class RoomSettings
{
    public int MaxMembers { get; set; }

    public int MaxRooms { get; set; }

    public int MaxPerPlayer { get; set; }

    public int RecentMessageIds { get; set; }

    public int HistoryMessages { get; set; }

    public int HistoryBytes { get; set; }

    public int HistoryOnJoin { get; set; }
}
