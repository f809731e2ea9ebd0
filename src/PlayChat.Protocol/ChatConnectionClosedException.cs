using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>
/// The connection ended before the request was answered, or had ended before it was made. Whether the server carried it out is not known.
/// </summary>
public sealed class ChatConnectionClosedException : Exception
{
    /// <summary>Says why there is no connection any more.</summary>
    /// <param name="reason">Why it ended.</param>
    /// <param name="serverMessage">What the server said before it closed; null when it said nothing.</param>
    public ChatConnectionClosedException(CloseReason reason, string? serverMessage)
        : base(serverMessage is null
            ? $"The connection is closed: {reason}."
            : $"The connection is closed: {reason}. The server says: {serverMessage}")
    {
        Reason = reason;
        ServerMessage = serverMessage;
    }

    /// <summary>Why the connection ended: the server's word where it gave one, else what was seen of it.</summary>
    public CloseReason Reason { get; }

    /// <summary>The server's sentence for a person; null when it closed without one.</summary>
    public string? ServerMessage { get; }
}
