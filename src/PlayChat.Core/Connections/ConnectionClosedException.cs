namespace PlayChat.Core.Connections;

/// <summary>A connection ended, or had ended, before the peer answered a request. Whether the peer carried it out is not known.</summary>
public sealed class ConnectionClosedException : IOException
{
    /// <summary>Says why there will be no answer.</summary>
    /// <param name="connection">The one that ended.</param>
    /// <param name="reason">Why it ended.</param>
    internal ConnectionClosedException(Connection connection, CloseReason reason)
        : base($"The connection is closed: {reason}.")
    {
        Connection = connection;
        Reason = reason;
    }

    /// <summary>Why it ended, or is about to.</summary>
    public CloseReason Reason { get; }

    /// <summary>Whose end it is: a handler of that connection which lets this pass has no fault.</summary>
    internal Connection Connection { get; }
}
