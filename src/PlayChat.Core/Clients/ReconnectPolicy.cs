namespace PlayChat.Core.Clients;

/// <summary>Which ends of a connection are breaks, which failures may pass, and how long to wait before an attempt.</summary>
internal static class ReconnectPolicy
{
    /// <summary>
    /// Whether a connection that ended for this reason has broken. A connection that either side ended on purpose has not.
    /// </summary>
    public static bool IsBreak(CloseReason reason) => CloseAdvices.Of(reason) == CloseAdvice.Reconnect;

    /// <summary>Whether the next attempt may succeed although this one failed.</summary>
    public static bool MayPass(Exception exception) => exception switch
    {
        ConnectFailedException or TimeoutException or OperationCanceledException => true,
        ConnectionClosedException { Reason: CloseReason.ServerShutdown } => false, // only if the server has asked for a return
        ConnectionClosedException closed => CloseAdvices.Of(closed.Reason) != CloseAdvice.DoNotReconnect,
        _ => false,
    };

    /// <param name="options">The bounds.</param>
    /// <param name="attempt">From 1 on.</param>
    public static TimeSpan DelayBefore(ReconnectOptions options, int attempt)
    {
#pragma warning disable CA5394 // spreads the clients that one fault has cut off at the same moment; it need not be secret
        return ReconnectDelay.Before(options.FirstDelay, options.MaxDelay, attempt, Random.Shared.NextDouble());
#pragma warning restore CA5394
    }
}
