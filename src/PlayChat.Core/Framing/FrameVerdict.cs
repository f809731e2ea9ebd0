namespace PlayChat.Core.Framing;

/// <summary>Says how decoding continues after a frame was handled.</summary>
internal enum FrameVerdict
{
    /// <summary>With the next frame.</summary>
    Continue = 0,

    /// <summary>Later: a handler has not finished with this frame. The caller then resumes behind it, in the same buffer.</summary>
    Pause = 1,

    /// <summary>Not at all: the connection closes.</summary>
    Stop = 2,
}
