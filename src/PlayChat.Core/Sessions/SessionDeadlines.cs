namespace PlayChat.Core.Sessions;

/// <summary>What the sweep looks for in each session: login deadline, expired login, silence, heartbeat.</summary>
/// <param name="options">The deadlines.</param>
/// <param name="frequency">Ticks a second of the server's clock.</param>
/// <param name="close">Tells the peer why and closes.</param>
/// <param name="heartbeat">Asks the peer for a sign of life; <see langword="null"/> when the application has no such frame.</param>
internal sealed class SessionDeadlines(
    SessionOptions options, long frequency, Action<Connection, CloseReason> close, Action<Session>? heartbeat)
{
    private readonly long _login = ToTicks(options.LoginTimeout, frequency);
    private readonly long _idle = ToTicks(options.IdleTimeout, frequency);
    private readonly long _heartbeat = heartbeat is null ? long.MaxValue : ToTicks(HeartbeatOf(options), frequency);

    internal void Inspect(Connection connection, long now)
    {
        if (connection.Get<Session>() is not { } session || !connection.IsOpen)
        {
            return;
        }

        if (session.IsLoggingIn)
        {
            session.LoggingInTimestamp = now;
        }

        long lastReceive = connection.LastReceiveTimestamp;
        if (now - Math.Max(lastReceive, session.LoggingInTimestamp) >= _idle && !connection.TryExcuseSilence(now))
        {
            close(connection, CloseReason.IdleTimeout);
        }
        else if (session.User is null && now - Math.Max(connection.OpenedTimestamp, session.LoggingInTimestamp) >= _login)
        {
            close(connection, CloseReason.LoginTimeout);
        }
        else if (now >= session.LoginExpiry && !session.IsLoggingIn)
        {
            close(connection, CloseReason.LoginExpired);
        }
        else if (now - Math.Max(lastReceive, session.HeartbeatTimestamp) >= _heartbeat)
        {
            session.NoteSilence(now);
            heartbeat!(session);
        }
    }

    // A heartbeat after the idle timeout would come too late.
    private static TimeSpan HeartbeatOf(SessionOptions options) =>
        options.IdleTimeout > TimeSpan.Zero && options.HeartbeatInterval >= options.IdleTimeout
            ? options.IdleTimeout / 2
            : options.HeartbeatInterval;

    private static long ToTicks(TimeSpan time, long frequency) =>
        time == Timeout.InfiniteTimeSpan ? long.MaxValue : (long)(time.TotalSeconds * frequency);
}
