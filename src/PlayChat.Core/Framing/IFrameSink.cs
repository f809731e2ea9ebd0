namespace PlayChat.Core.Framing;

/// <summary>Takes the frames of a batch, one at a time and in their order.</summary>
internal interface IFrameSink
{
    /// <summary>
    /// Takes one frame. An exception leaves the decoding loop and loses the count of what was consumed, so a sink that runs
    /// foreign code catches there.
    /// </summary>
    FrameVerdict OnFrame(in Frame frame);
}
