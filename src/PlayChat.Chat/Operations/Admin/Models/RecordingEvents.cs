namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A page of a recording: the members at its start unless it begins with the room's creation, whether this server names
/// packets as the recorded one did, and on the last page why it ended.</summary>
internal sealed record RecordingEvents(
    string RoomName, string RoomType, DateTimeOffset StartedAt, IReadOnlyList<string>? Members, bool HasSamePackets,
    IReadOnlyList<RecordingEvent> Items, long? NextAfter, string? End);
