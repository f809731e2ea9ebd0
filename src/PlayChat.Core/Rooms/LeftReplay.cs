namespace PlayChat.Core.Rooms;

/// <summary>
/// What a room has kept for a member that was away when its membership ended, for example because the room was removed: the session gets
/// it when it returns.
/// </summary>
/// <remarks>
/// Takes the room's place among the attachments of the session, so a session has no more of these than it had rooms. It is sent or dropped
/// once, on the thread that lets the session return. Thread-safe.
/// </remarks>
internal sealed class LeftReplay : ISessionAttachment
{
    private readonly SegmentPool _pool;
    private readonly int _maxBehind;
    private ReplayBuffer? _buffer;

    private LeftReplay(ReplayBuffer buffer, SegmentPool pool, int maxBehind)
    {
        _buffer = buffer;
        _pool = pool;
        _maxBehind = maxBehind;
    }

    public void OnSessionChanged(Session session)
    {
        session.LetGo(this); // it never waits for anything
        (Connection connection, bool isAway) = session.Announced;
        if ((isAway && !session.HasEnded) || Interlocked.Exchange(ref _buffer, null) is not { } buffer)
        {
            return;
        }

        session.Detach(this);
        if (!session.HasEnded && buffer.Fits(connection, _maxBehind))
        {
            buffer.Send(connection, _pool);
            connection.Flush();
        }
    }

    /// <summary>Keeps frames for a session that is away, unless it has ended.</summary>
    /// <param name="session">The session, no member any more.</param>
    /// <param name="buffer">The frames; the caller does not use it any more.</param>
    /// <param name="pool">The server's pool.</param>
    /// <param name="maxBehind">The most that the replay may make a connection wait for, in bytes.</param>
    internal static void Leave(Session session, ReplayBuffer buffer, SegmentPool pool, int maxBehind)
    {
        var replay = new LeftReplay(buffer, pool, maxBehind);
        if (session.TryAttach(replay, int.MaxValue) && !session.Announced.IsAway)
        {
            replay.OnSessionChanged(session); // it returned before it was attached
        }
    }
}
