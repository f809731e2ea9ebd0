namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A room with its members.</summary>
/// <param name="Room">The room.</param>
/// <param name="Properties">The application's own properties of the room.</param>
/// <param name="Members">The members, those with the most queued bytes first; at most 1,000.</param>
internal sealed record RoomDetail(
    RoomSummary Room,
    IReadOnlyDictionary<string, string> Properties,
    IReadOnlyList<SessionInfo> Members);
