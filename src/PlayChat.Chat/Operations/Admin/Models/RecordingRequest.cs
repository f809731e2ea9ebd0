namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Records a room. The bounds of the server count where it is asked for more, or for none.</summary>
internal sealed record RecordingRequest(long Room, long? MaxBytes, double? MaxSeconds);
