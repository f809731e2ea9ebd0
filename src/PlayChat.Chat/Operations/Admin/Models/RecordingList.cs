namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The newest recordings; or why the server records no rooms, and what to do.</summary>
internal sealed record RecordingList(IReadOnlyList<RecordingInfo> Items, string? Problem);
