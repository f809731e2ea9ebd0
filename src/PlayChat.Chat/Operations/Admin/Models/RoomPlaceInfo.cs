namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room of a session.</summary>
/// <param name="Id">The room's id.</param>
/// <param name="Name">The room's name.</param>
internal sealed record RoomPlaceInfo(
    long Id,
    string Name);
