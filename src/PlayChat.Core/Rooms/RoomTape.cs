namespace PlayChat.Core.Rooms;

/// <summary>
/// Is told what a room's turn runs and what the room sends, in that order. It records the room, or compares a replay with a recording. Most
/// rooms have none.
/// </summary>
/// <remarks>Only the room's turn calls it. It must not throw. By default it ignores what the turn runs.</remarks>
internal abstract class RoomTape
{
    /// <summary>A turn begins. Creation is part of the first one.</summary>
    internal virtual void BeginTurn()
    {
    }

    /// <summary>Nothing more is about to run; what follows is the end of the turn, such as <c>OnEmpty</c>.</summary>
    internal virtual void EndInputs()
    {
    }

    /// <summary>The room has done all work of the turn. The tape may take itself away here.</summary>
    internal virtual void EndTurn()
    {
    }

    /// <summary>The room is about to follow a session that has ended, has become away or has returned.</summary>
    internal virtual void SessionChanged(Session session, bool hasEnded, Connection connection, bool isAway)
    {
    }

    /// <summary>A timer is about to run. Not called for those of a <see cref="RoomRole"/>.</summary>
    internal virtual void TimerDue(RoomTimer timer)
    {
    }

    /// <summary>The room is about to tick.</summary>
    internal virtual void Tick(in RoomTick tick)
    {
    }

    /// <summary>An item is about to run. It describes itself if it is an <see cref="IRoomInput"/>.</summary>
    internal virtual void Item(in RoomItem item)
    {
    }

    /// <summary>A session is about to join by a request.</summary>
    internal virtual void Join(Session session, bool opens, byte[] argument)
    {
    }

    /// <summary>A member is about to leave, as its client or the cluster wants.</summary>
    internal virtual void Leave(Session session, LeaveReason reason)
    {
    }

    /// <summary>A member on a node of the cluster is away, or has returned.</summary>
    internal virtual void LinkChanged(Session session, bool isAway, bool isRecovered)
    {
    }

    /// <summary>The room is about to handle what a member has sent to its node of the cluster.</summary>
    internal virtual void Received(Session from, FrameHeader header, ReadOnlySpan<byte> body, bool isPacket)
    {
    }

    /// <summary>A command of the server is about to run.</summary>
    internal virtual void Command(RoomCommand command)
    {
    }

    /// <summary>Code is about to run whose argument has no written form, so that nothing can repeat it later.</summary>
    /// <param name="name">Names the code, see <see cref="DelegateName"/>.</param>
    internal virtual void Code(string name)
    {
    }

    /// <summary>The room has sent a frame.</summary>
    /// <param name="header">The frame's header.</param>
    /// <param name="body">Its content; valid during the call.</param>
    /// <param name="to">The sessions that it is for; not used for a broadcast.</param>
    /// <param name="isBroadcast">Whether it is for all members.</param>
    /// <param name="except">The session that a broadcast leaves out.</param>
    internal abstract void Sent(FrameHeader header, ReadOnlySpan<byte> body, ReadOnlySpan<Session> to, bool isBroadcast, Session? except);

    /// <summary>Code of the room has thrown an exception.</summary>
    internal abstract void Failed(Exception exception);

    /// <summary>Whether the queue of the session that got the last frame has accepted it.</summary>
    /// <param name="isAccepted">What the queue says.</param>
    /// <returns>What the room is told.</returns>
    internal abstract bool Accepted(bool isAccepted);

    /// <summary>Whether a member that returns has missed nothing.</summary>
    /// <param name="isRecovered">What the room has found.</param>
    /// <returns>What the member is told.</returns>
    internal abstract bool Recovered(bool isRecovered);
}
