using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>A connection to a server could not be made. The message names the address and the cause.</summary>
public sealed class ConnectFailedException : IOException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="endPoint">The server that was asked for.</param>
    /// <param name="message">One sentence for the person who connects.</param>
    /// <param name="innerException">The cause.</param>
    public ConnectFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The server that was asked for.</summary>
    public EndPoint EndPoint { get; }
}
