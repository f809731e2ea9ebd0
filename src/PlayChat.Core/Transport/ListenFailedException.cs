namespace PlayChat.Core.Transport;

/// <summary>Thrown when a listener could not be started. The message names the address, the cause and what to do.</summary>
/// <param name="endPoint">The address that was to be bound.</param>
/// <param name="cause">The system's error, or an exception whose message is the cause in a few words.</param>
public sealed class ListenFailedException(EndPoint endPoint, Exception cause) : IOException(
    SocketErrors.DescribeListen(
        endPoint ?? throw new ArgumentNullException(nameof(endPoint)), cause ?? throw new ArgumentNullException(nameof(cause))),
    cause);
