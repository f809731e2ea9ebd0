namespace PlayChat.Core.Framing;

/// <summary>What the taker of a frame wants next.</summary>
internal enum FrameVerdict
{
    /// <summary>The next frame.</summary>
    Continue = 0,

    /// <summary>Nothing for now: a handler has not finished with this frame. The caller resumes behind it, in the same buffer.</summary>
    Pause = 1,

    /// <summary>Nothing any more: the connection closes.</summary>
    Stop = 2,
}
