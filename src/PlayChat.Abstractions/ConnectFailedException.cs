namespace PlayChat.Core.Transport;

/// <summary>Thrown when a connection to a server could not be made. The message names the address and the cause.</summary>
public sealed class ConnectFailedException : IOException
{
    /// <summary>Makes the exception. Its message names the address and the cause, and for a socket error what to do.</summary>
    /// <param name="endPoint">The server's address or name.</param>
    /// <param name="cause">The system's error, or an exception whose message is the cause in a few words.</param>
    public ConnectFailedException(EndPoint endPoint, Exception cause)
        : this(
            endPoint ?? throw new ArgumentNullException(nameof(endPoint)),
            ConnectProblem.Describe(endPoint, cause ?? throw new ArgumentNullException(nameof(cause))),
            cause)
    {
    }

    internal ConnectFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The server's address or name.</summary>
    internal EndPoint EndPoint { get; }
}
