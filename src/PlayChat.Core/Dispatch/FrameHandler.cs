namespace PlayChat.Core.Dispatch;

/// <summary>Handles a frame as bytes, on the receive loop of its sender; must not block.</summary>
/// <param name="connection">Where it came from.</param>
/// <param name="frame">A view, valid during the call.</param>
public delegate void FrameHandler(Connection connection, Frame frame);
