namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A file of a recording, with the id of its room while it runs.</summary>
internal sealed record RecordingInfo(string File, long Bytes, DateTime WrittenAt, long? RoomId);
