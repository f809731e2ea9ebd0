using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>The connection has broken, or the server restarts, and the client is about to make another connection.</summary>
/// <param name="reason">Why it broke.</param>
/// <param name="serverMessage">What the server said before it closed, if anything.</param>
/// <param name="attempt">Which attempt this is.</param>
/// <param name="delay">How long the client waits before it.</param>
public sealed class ReconnectingEventArgs(CloseReason reason, string? serverMessage, int attempt, TimeSpan delay) : EventArgs
{
    /// <summary>
    /// Why the connection broke: the same for all attempts after one break. <see cref="CloseReason.ServerShutdown"/> when the server has
    /// asked the client to come back; <see cref="Delay"/> of the first attempt is then the server's.
    /// </summary>
    public CloseReason Reason { get; } = reason;

    /// <summary>The server's sentence for a person; null when it said nothing.</summary>
    public string? ServerMessage { get; } = serverMessage;

    /// <summary>From 1 on, for each break anew.</summary>
    public int Attempt { get; } = attempt;

    /// <summary>How long the client waits before this attempt.</summary>
    public TimeSpan Delay { get; } = delay;
}
