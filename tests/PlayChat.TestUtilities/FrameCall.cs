using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.TestUtilities;

/// <summary>A handler of one frame, for a test.</summary>
public delegate ValueTask FrameCall(Connection connection, in Frame frame);
