namespace PlayChat.Core.Clients;

/// <summary>One attempt of a <c>ReconnectingConnection</c> or <c>GameClient</c> to return after a break.</summary>
public sealed record ReconnectAttempt
{
    internal ReconnectAttempt(int number, TimeSpan delay, CloseReason reason, string? message)
    {
        Number = number;
        Delay = delay;
        Reason = reason;
        Message = message;
    }

    /// <summary>The number of the attempt. It starts at 1 after each break.</summary>
    public int Number { get; }

    /// <summary>The wait before this attempt.</summary>
    public TimeSpan Delay { get; }

    /// <summary>
    /// Why the connection broke: the same for all attempts after one break. <see cref="CloseReason.ServerShutdown"/> when the server has
    /// said that it is about to come back (<c>ExpectClose</c>).
    /// </summary>
    public CloseReason Reason { get; }

    /// <summary>The server's sentence before it closed; <see langword="null"/> without one.</summary>
    public string? Message { get; }
}
