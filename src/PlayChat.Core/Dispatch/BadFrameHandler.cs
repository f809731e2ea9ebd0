namespace PlayChat.Core.Dispatch;

/// <summary>Learns of bytes that are no frame, on the receive loop of their sender; must not block.</summary>
/// <param name="connection">Where they came from. It closes after the call.</param>
/// <param name="reason"><see cref="CloseReason.ProtocolViolation"/> or <see cref="CloseReason.FrameTooLarge"/>.</param>
/// <param name="start">The first of these bytes, at most 16, as far as they have arrived; valid during the call.</param>
public delegate void BadFrameHandler(Connection connection, CloseReason reason, ReadOnlySpan<byte> start);
