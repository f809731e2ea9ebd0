namespace PlayChat.Chat.Modes;

/// <summary>Limits of players that are not for the load generators of the other modes.</summary>
internal static class LoadLimits
{
    /// <summary>
    /// Lifts them: these peers have no login and no heartbeat frame, a peer that only listens is always silent, and others send as fast as
    /// they can.
    /// </summary>
    public static void Lift(PlayChatOptions options)
    {
        options.Sessions.LoginTimeout = Timeout.InfiniteTimeSpan;
        options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan;
        options.Connections.BytesPerSecond = 0;
        options.Connections.FramesPerSecond = 0;
    }
}
