using PlayChat.Core.Framing;

namespace PlayChat.TestUtilities;

/// <summary>Looks at one decoded frame; it is valid only during the call.</summary>
public delegate void FrameVisitor(in Frame frame);
