namespace PlayChat.Core.Connections;

/// <summary>What becomes of a connection's frames.</summary>
internal interface IConnectionHandler
{
    /// <summary>Handles one frame, on the receive loop. The next frame waits until the task completes.</summary>
    /// <param name="connection">Where it came from.</param>
    /// <param name="frame">A view; its body as a sequence stays valid until the task completes.</param>
    /// <remarks>What it throws, or its task brings, closes the connection as <see cref="CloseReason.HandlerFault"/>.</remarks>
    ValueTask HandleAsync(Connection connection, in Frame frame);

    /// <summary>The peer has sent bytes that are no frame; <see cref="OnClosing"/> follows.</summary>
    /// <param name="connection">Where they came from.</param>
    /// <param name="reason">Why the connection closes.</param>
    /// <param name="start">The first of these bytes.</param>
    void OnBadFrame(Connection connection, CloseReason reason, ReadOnlySpan<byte> start)
    {
    }

    /// <summary>PlayChat itself, not the application, is about to close the connection: a last chance to tell the peer why.</summary>
    void OnClosing(Connection connection, CloseReason reason)
    {
    }

    /// <summary>The link has ended and no frame is being handled any more. Called once.</summary>
    void OnClosed(Connection connection, CloseReason reason);
}
