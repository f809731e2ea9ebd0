namespace PlayChat.Protocol;

/// <summary>The server refused a request. The connection stays open. proto/PROTOCOL.md, "Errors".</summary>
/// <param name="code">What went wrong; a number that this library does not know is kept as it came.</param>
/// <param name="message">The server's sentence for a person.</param>
/// <param name="retryAfter">How long the server asks to wait; zero when it does not say.</param>
/// <param name="endPoint">With <see cref="ErrorCode.Redirect"/>: the server that takes the request.</param>
public sealed class ChatErrorException(ErrorCode code, string message, TimeSpan retryAfter = default, string endPoint = "")
    : Exception(message.Length > 0 ? message : $"The server refused the request: {code}.")
{
    /// <summary>
    /// The error code. A server newer than this library may send a number that the enum does not name: treat it as
    /// <see cref="ErrorCode.Internal"/>.
    /// </summary>
    public ErrorCode Code { get; } = code;

    /// <summary>How long to wait before the request is sent again; zero when the server does not say.</summary>
    public TimeSpan RetryAfter { get; } = retryAfter;

    /// <summary>With <see cref="ErrorCode.Redirect"/>: the server that takes the request, as HOST:PORT. Otherwise empty.</summary>
    public string EndPoint { get; } = endPoint;
}
