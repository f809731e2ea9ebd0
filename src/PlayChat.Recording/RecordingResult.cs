namespace PlayChat.Recording;

/// <summary>A recording that has ended.</summary>
/// <param name="Path">The file. It can be replayed up to its last whole turn, whatever the end was.</param>
/// <param name="End">Why it has ended.</param>
/// <param name="Bytes">The length of the file.</param>
/// <param name="Turns">The recorded turns of the room.</param>
/// <param name="Duration">The time from its start to its last turn.</param>
/// <param name="Error">Why the file was not written (<see cref="RecordingEnd.WriteFailed"/>).</param>
public sealed record RecordingResult(string Path, RecordingEnd End, long Bytes, long Turns, TimeSpan Duration, string? Error = null);
