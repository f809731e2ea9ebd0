namespace PlayChat.Core.Sessions;

/// <summary>Deadlines of sessions. Set before start.</summary>
public sealed class SessionOptions
{
    /// <summary>
    /// How long a session may stay anonymous, 1 second to 1 hour; <see cref="Timeout.InfiniteTimeSpan"/>, the default, turns it off, because a
    /// server without logins has none to wait for. Then it is closed as <see cref="CloseReason.LoginTimeout"/>.
    /// </summary>
    public TimeSpan LoginTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Silence after which a peer is closed as <see cref="CloseReason.IdleTimeout"/>, 1 second to 1 day. Default 2 minutes;
    /// <see cref="Timeout.InfiniteTimeSpan"/> turns it off.
    /// </summary>
    /// <remarks>
    /// While a handler of the session waits nothing is read, so silence does not end it then, unless the peer does not read what is sent to it either, or we read on for
    /// the answer to a request. A handler that may wait for long needs a time of its own, see <see cref="Connections.Connection.Aborted"/>.
    /// </remarks>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>
    /// Silence after which a peer is asked for a sign of life, 1 second to 1 day. Default 30 seconds. When it is not shorter than
    /// <see cref="IdleTimeout"/>, half of that is used.
    /// <see cref="Timeout.InfiniteTimeSpan"/> turns it off. What is sent is the application's (see <c>OnHeartbeat</c>); without that nothing is.
    /// </summary>
    public TimeSpan HeartbeatInterval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How often all deadlines are looked at, 10 ms to 1 minute: how late one may be served. Default 1 second.</summary>
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromSeconds(1);

    internal IEnumerable<string> Validate(string path)
    {
        if (!IsOffOrWithin(LoginTimeout, TimeSpan.FromHours(1)))
        {
            yield return $"{path}:{nameof(LoginTimeout)} is {LoginTimeout}; allowed is 00:00:01 to 01:00:00, or -00:00:00.001 for none.";
        }

        if (!IsOffOrWithin(IdleTimeout, TimeSpan.FromDays(1)))
        {
            yield return $"{path}:{nameof(IdleTimeout)} is {IdleTimeout}; allowed is 00:00:01 to 1.00:00:00, or -00:00:00.001 for none.";
        }

        if (!IsOffOrWithin(HeartbeatInterval, TimeSpan.FromDays(1)))
        {
            yield return $"{path}:{nameof(HeartbeatInterval)} is {HeartbeatInterval}; allowed is 00:00:01 to 1.00:00:00, or -00:00:00.001 for none.";
        }

        if (SweepInterval < TimeSpan.FromMilliseconds(10) || SweepInterval > TimeSpan.FromMinutes(1))
        {
            yield return $"{path}:{nameof(SweepInterval)} is {SweepInterval}; allowed is 00:00:00.01 to 00:01:00.";
        }
    }

    private static bool IsOffOrWithin(TimeSpan time, TimeSpan max) =>
        time == Timeout.InfiniteTimeSpan || (time >= TimeSpan.FromSeconds(1) && time <= max);
}
