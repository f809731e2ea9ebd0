namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room with its members.</summary>
internal sealed record RoomDetail(
    RoomSummary Room,
    IReadOnlyDictionary<string, string> Properties, // the application's own
    IReadOnlyList<SessionInfo> Members); // those with the most queued bytes first; at most 1,000
