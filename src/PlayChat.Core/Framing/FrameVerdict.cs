namespace PlayChat.Core.Framing;

/// <summary>Says how decoding continues after a frame was handled.</summary>
internal enum FrameVerdict
{
    Continue = 0, // with the next frame
    Pause = 1, // later: a handler has not finished with this frame. The caller then resumes behind it, in the same buffer
    Stop = 2, // not at all: the connection closes
}
