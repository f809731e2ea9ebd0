namespace PlayChat.Core.Framing;

/// <summary>How a batch ended.</summary>
/// <param name="Status">
/// <see cref="DecodeStatus.NeedMoreData"/> when everything whole was taken, <see cref="DecodeStatus.Frame"/> when the sink
/// asked to end; otherwise what is wrong with the frame at <paramref name="ConsumedBytes"/>.
/// </param>
/// <param name="Verdict">The sink's last answer; <see cref="FrameVerdict.Continue"/> unless it ended the batch.</param>
/// <param name="ConsumedBytes">Bytes from the start of the buffer, not from the offset: the next call starts there.</param>
/// <param name="Frames">Frames handed to the sink.</param>
/// <param name="MissingBytes">At least how many bytes the partial frame at the end still lacks; 0 when there is none, or it is
/// unknown.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct FrameBatch(DecodeStatus Status, FrameVerdict Verdict, long ConsumedBytes, int Frames, int MissingBytes);
