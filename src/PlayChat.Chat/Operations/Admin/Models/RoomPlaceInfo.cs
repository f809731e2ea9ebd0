namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room of a session.</summary>
internal sealed record RoomPlaceInfo(
    long Id,
    string Name);
