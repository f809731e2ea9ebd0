namespace PlayChat.Core.Connections;

/// <summary>
/// The peer answered a request with a failure (<see cref="Packets.PacketIdAttribute.IsFailure"/>), with something malformed or of another
/// kind, or the request was not sent.
/// </summary>
public sealed class RequestFailedException : Exception
{
    internal RequestFailedException(string message, object? answer = null)
        : base(message)
    {
        Answer = answer;
    }

    /// <summary>
    /// The failure that the peer sent, a message of the kind it was added as, or the answer that it sent in place of the awaited one;
    /// <see langword="null"/> when it sent none.
    /// </summary>
    public object? Answer { get; }
}
