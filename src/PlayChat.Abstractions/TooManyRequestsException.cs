namespace PlayChat.Core.Connections;

/// <summary>
/// As many requests as <c>MaxRequests</c> allows wait for the peer's answers; this one was not sent.
/// </summary>
public sealed class TooManyRequestsException : InvalidOperationException
{
    internal TooManyRequestsException(int limit)
        : base($"{limit} requests wait for answers of this peer already; more than that may not.")
    {
    }
}
