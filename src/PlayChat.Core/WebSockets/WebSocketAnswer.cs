namespace PlayChat.Core.WebSockets;

/// <summary>The decision about a <see cref="WebSocketRequest"/>.</summary>
/// <param name="Status">101 when the request is accepted; otherwise the status code for the client.</param>
/// <param name="Problem">What is wrong and what to do, as text for the client; <see langword="null"/> when the request is accepted.</param>
/// <param name="Accept">
/// The value of <c>Sec-WebSocket-Accept</c>; <see langword="null"/> when the request is refused or is an extended CONNECT.
/// </param>
/// <param name="Subprotocol">The value of <c>Sec-WebSocket-Protocol</c>; <see langword="null"/> for none.</param>
public sealed record WebSocketAnswer(int Status, string? Problem, string? Accept, string? Subprotocol)
{
    /// <summary>Whether the request is accepted.</summary>
    public bool IsAccepted => Problem is null;
}
