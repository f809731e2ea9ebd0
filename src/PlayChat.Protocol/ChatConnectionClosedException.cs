using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>
/// The connection ended before the request was answered, or had ended before it was made. Whether the server carried it out is not known.
/// </summary>
/// <param name="reason">Why it ended.</param>
/// <param name="serverMessage">What the server said before it closed; null when it said nothing.</param>
public sealed class ChatConnectionClosedException(CloseReason reason, string? serverMessage) : Exception(serverMessage is null
    ? $"The connection is closed: {reason}."
    : $"The connection is closed: {reason}. The server says: {serverMessage}")
{
    /// <summary>Why the connection ended: the server's word where it gave one, else what was seen of it.</summary>
    public CloseReason Reason { get; } = reason;

    /// <summary>The server's sentence for a person; null when it closed without one.</summary>
    public string? ServerMessage { get; } = serverMessage;
}
