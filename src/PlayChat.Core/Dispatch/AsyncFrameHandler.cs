namespace PlayChat.Core.Dispatch;

/// <summary>Handles a frame as bytes and may wait; the sender's next frame is handled when it is done.</summary>
/// <param name="connection">Where it came from.</param>
/// <param name="frame">
/// A view. An <see langword="async"/> method cannot take it, so take <see cref="Frame.Body"/> out first, which is valid until the
/// task completes: <c>(connection, frame, token) => SaveAsync(connection, frame.Body, token)</c>.
/// </param>
/// <param name="cancellationToken">
/// Cancelled when the link ends. That the peer has gone is not noticed while the handler waits, unless something is sent to it: see
/// <see cref="Connections.Connection.Aborted"/>.
/// </param>
public delegate ValueTask AsyncFrameHandler(Connection connection, Frame frame, CancellationToken cancellationToken);
