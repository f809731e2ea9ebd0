namespace PlayChat.Core.Connections;

/// <summary>A room's turn, as the <see cref="HandlerWatchdog"/> sees it.</summary>
internal interface IWatchedTurn
{
    /// <summary>Of the room's server.</summary>
    ServerMetrics Metrics { get; }

    /// <summary>Logs that the turn has not ended. Any thread may call.</summary>
    /// <param name="thread">The name of the thread that the turn runs on.</param>
    /// <param name="milliseconds">How long the turn has run so far.</param>
    void OnBlocked(string thread, long milliseconds);
}
