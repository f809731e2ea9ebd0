using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>Why the connection ended.</summary>
/// <param name="reason">Why it ended.</param>
/// <param name="serverMessage">What the server said before it closed, if anything.</param>
public sealed class ChatDisconnectedEventArgs(CloseReason reason, string? serverMessage) : EventArgs
{
    /// <summary>
    /// The server's word where it gave one, else what was seen of it. <see cref="CloseReason.LocalClose"/> when this side closed.
    /// </summary>
    public CloseReason Reason { get; } = reason;

    /// <summary>The server's sentence for a person; null when it closed without one.</summary>
    public string? ServerMessage { get; } = serverMessage;
}
