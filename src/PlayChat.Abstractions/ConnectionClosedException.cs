namespace PlayChat.Core.Connections;

/// <summary>
/// A connection ended, or had ended, before the peer answered a request. Whether the peer carried the request out is not known.
/// </summary>
public sealed class ConnectionClosedException : IOException
{
    /// <summary>Says why there will be no answer.</summary>
    /// <param name="connectionId">The connection that ended.</param>
    /// <param name="reason">Why it ended.</param>
    internal ConnectionClosedException(long connectionId, CloseReason reason)
        : base($"The connection is closed: {reason}.")
    {
        ConnectionId = connectionId;
        Reason = reason;
    }

    /// <summary>Why the connection ended, or is about to.</summary>
    public CloseReason Reason { get; }

    /// <summary>The connection that ended: a handler of it that lets this exception pass has no fault.</summary>
    internal long ConnectionId { get; }
}
