namespace PlayChat.Core.Sessions;

/// <summary>Deadlines of sessions. Set them before start.</summary>
/// <remarks>
/// docs/reference/limits.md lists the defaults and ranges.
/// <see cref="Timeout.InfiniteTimeSpan"/> turns a deadline off; zero turns resuming off.
/// </remarks>
public sealed class SessionOptions
{
    /// <summary>
    /// How long a session may stay anonymous before it is closed as <see cref="CloseReason.LoginTimeout"/>. Off by default, because a
    /// server without logins has none to wait for.
    /// </summary>
    [Option(
        "How long a peer may take to log in.",
        Min = "00:00:01",
        Max = "01:00:00",
        Off = "none",
        WhenReached = "The session is told and closed as `LoginTimeout`.",
        SeenIn = "`playchat.connections.closed`",
        Why = "Connections that never log in would hold their places for as long as they like.")]
    public TimeSpan LoginTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// How long a peer may be silent before it is closed as <see cref="CloseReason.IdleTimeout"/>, which is logged. A peer that answers
    /// heartbeats is not silent, see <see cref="HeartbeatInterval"/>.
    /// </summary>
    /// <remarks>
    /// The server reads nothing while a handler of the session waits, so silence does not close the session then, unless the peer does
    /// not read what is sent to it either. A handler that may wait long needs its own deadline, see <see
    /// cref="Connections.Connection.Aborted"/>.
    /// </remarks>
    [Option(
        "How long a peer may be silent.",
        Min = "00:00:01",
        Max = "1.00:00:00",
        Off = "none",
        WhenReached = "The session is told and closed as `IdleTimeout`.",
        SeenIn = "`playchat.connections.closed`",
        Why = "Connections whose peer has vanished would hold their places for hours.")]
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>
    /// The silence after which the server asks a peer for a sign of life. When it is not shorter than <see cref="IdleTimeout"/>, half of
    /// that is used. A server of packets (<c>OnPackets</c>) with <see cref="Framing.FrameFormat.Packet"/> sends PlayChat's own heartbeat,
    /// which <c>PlayChatConnector</c> answers by itself; <c>OnHeartbeat</c> sends something else instead. Any other server sends nothing
    /// without <c>OnHeartbeat</c>. <see cref="Timeout.InfiniteTimeSpan"/> turns heartbeats off.
    /// </summary>
    [Option("Silence after which the server asks a peer for a sign of life.", Min = "00:00:01", Max = "1.00:00:00", Off = "none")]
    public TimeSpan HeartbeatInterval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a session stays away after its connection broke, so that its client can resume: 0 to 1 day. Default 0, which turns resuming
    /// off. It concerns sessions with a resume token only (<see cref="SessionRegistry.IssueResumeTokenAsync"/>).
    /// </summary>
    [Option(
        "How long a session with a resume token stays away after its connection broke; 0 turns resuming off.",
        Min = "00:00:00",
        Max = "1.00:00:00",
        WhenReached = "The session ends and leaves its rooms.",
        SeenIn = "`playchat.sessions.away`, `playchat.sessions.resumed`")]
    public TimeSpan ResumeWindow { get; set; } = TimeSpan.Zero;

    /// <summary>
    /// The bytes that each room keeps for each member that is away: 0, or 1,024 to 16 MB. Default 0, which keeps nothing. A room replays
    /// these frames, in order, when the member returns. Of a room that was removed meanwhile, or has taken the member out, the session gets
    /// what was sent before. When more would be kept, all are dropped and the member is told by <c>RoomMember.IsRecovered</c>. A return
    /// replays at most half of <see cref="Connections.ConnectionOptions.MaxOutboundBytes"/>.
    /// </summary>
    [Option(
        "Bytes of frames that each room keeps for each member that is away.",
        Min = 1024,
        Max = 16_777_216,
        Off = "off",
        WhenReached = "The room drops what it has kept for the member and says so at its return (`IsRecovered` is false).")]
    public int ReplayBytes { get; set; }

    /// <summary>
    /// The sessions that one user may have at once: 1 to 16. Default 1, which suits a game: a login takes over from the session that the
    /// user had. With more, each of them is a member of rooms for itself, and <see cref="SessionRegistry.FindAllOfUser(string)"/> finds
    /// them all.
    /// </summary>
    [Option(
        "Sessions that one user may have at once, on one device each.",
        Min = 1,
        Max = 16,
        WhenReached = "A login takes over from the session that is away, or else from the one that was idle for longest: it is told and "
            + "closed as `TakenOver`.",
        SeenIn = "`playchat.connections.closed`")]
    public int MaxPerUser { get; set; } = 1;

    /// <summary>How often the server checks all deadlines, and therefore how late a deadline may be served.</summary>
    [Option("How often the server checks the deadlines.", Min = "00:00:00.01", Max = "00:01:00")]
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromSeconds(1);

    internal IEnumerable<string> Validate(string path) => OptionRule.FindProblems(this, path + ":");
}
