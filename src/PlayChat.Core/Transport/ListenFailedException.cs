using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>A listener could not be started. The message names the address and what to do.</summary>
public sealed class ListenFailedException : IOException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="endPoint">The address that was asked for.</param>
    /// <param name="message">One sentence for the person who started the server.</param>
    /// <param name="innerException">The system's own error.</param>
    public ListenFailedException(EndPoint endPoint, string message, Exception innerException)
        : base(message, innerException)
    {
        EndPoint = endPoint;
    }

    /// <summary>The address that was asked for.</summary>
    public EndPoint EndPoint { get; }
}
