namespace PlayChat.Core.Framing;

/// <summary>Where a frame lies in the input that a codec was given, in bytes from the input's first.</summary>
/// <param name="BodyOffset">Where the body starts.</param>
/// <param name="BodyBytes">How long the body is; 0 is an empty body.</param>
/// <param name="FrameBytes">
/// How far the frame reaches with header and trailer; at least 1. Beside <see cref="DecodeStatus.NeedMoreData"/>: the least
/// the frame must have as far as is known, 0 when nothing is.
/// </param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct FrameBounds(int BodyOffset, int BodyBytes, int FrameBytes);
