using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>Thrown when a listener could not be started. The message names the address, the cause and what to do.</summary>
public sealed class ListenFailedException : IOException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="endPoint">The address that was to be bound.</param>
    /// <param name="message">One sentence: what failed, why, and what to do.</param>
    /// <param name="innerException">The system's error.</param>
    public ListenFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The address that was to be bound.</summary>
    public EndPoint EndPoint { get; }
}
