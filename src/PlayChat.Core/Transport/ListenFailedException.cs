namespace PlayChat.Core.Transport;

/// <summary>Thrown when a listener could not be started. The message names the address, the cause and what to do.</summary>
public sealed class ListenFailedException : IOException
{
    /// <summary>Makes the exception. Its message names the address and the cause, and for a socket error what to do.</summary>
    /// <param name="endPoint">The address that was to be bound.</param>
    /// <param name="cause">The system's error, or an exception whose message is the cause in a few words.</param>
    public ListenFailedException(EndPoint endPoint, Exception cause)
        : this(
            endPoint ?? throw new ArgumentNullException(nameof(endPoint)),
            SocketErrors.DescribeListen(endPoint, cause ?? throw new ArgumentNullException(nameof(cause))),
            cause)
    {
    }

    internal ListenFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The address that was to be bound.</summary>
    internal EndPoint EndPoint { get; }
}
