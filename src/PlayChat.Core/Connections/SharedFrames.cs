namespace PlayChat.Core.Connections;

/// <summary>A run of whole frames in memory that several connections send.</summary>
/// <param name="Segment">Held by the caller; this part is not written to any more.</param>
/// <param name="Start">Where the first frame starts.</param>
/// <param name="Bytes">How long they are; none when there is nothing.</param>
/// <param name="Ordinal">How many frames of the segment are before them.</param>
/// <param name="Frames">How many they are.</param>
internal readonly record struct SharedFrames(Segment Segment, int Start, int Bytes, int Ordinal, int Frames);
