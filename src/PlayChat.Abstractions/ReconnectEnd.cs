namespace PlayChat.Core.Clients;

/// <summary>Why a <c>ReconnectingConnection</c> or <c>GameClient</c> ended.</summary>
public sealed record ReconnectEnd
{
    internal ReconnectEnd(CloseReason reason, string? message, Exception? error)
    {
        Reason = reason;
        Message = message;
        Error = error;
    }

    /// <summary>
    /// The reason of the last connection; after attempts that were given up, the reason of the break before them.
    /// <see cref="CloseReason.LocalClose"/> when this side closed.
    /// </summary>
    public CloseReason Reason { get; }

    /// <summary>The server's sentence before it closed; <see langword="null"/> without one.</summary>
    public string? Message { get; }

    /// <summary>The exception of the last attempt to return; <see langword="null"/> when no attempt was the end.</summary>
    public Exception? Error { get; internal init; }
}
