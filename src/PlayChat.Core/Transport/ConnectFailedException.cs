using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>Thrown when a connection to a server could not be made. The message names the address and the cause.</summary>
public sealed class ConnectFailedException : IOException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="endPoint">The server's address or name.</param>
    /// <param name="message">One sentence: what failed, why, and what to do.</param>
    /// <param name="innerException">The cause.</param>
    public ConnectFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The server's address or name.</summary>
    public EndPoint EndPoint { get; }
}
