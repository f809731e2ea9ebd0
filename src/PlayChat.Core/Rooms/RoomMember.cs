namespace PlayChat.Core.Rooms;

/// <summary>A member of a room. Derive from it to keep state for each member; use it only in the room's turn.</summary>
public class RoomMember
{
    /// <summary>Creates a member. A room does it in <c>OnJoining</c>.</summary>
    /// <param name="session">The member's session.</param>
    public RoomMember(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        Session = session;
    }

    /// <summary>The member's session.</summary>
    public Session Session { get; }

    /// <summary>
    /// Whether the member only watches: it gets what the room sends, takes a place of <see cref="RoomSettings.SpectatorCapacity"/> instead
    /// of a seat, and the router refuses its packets for the room (<see cref="Dispatch.PacketRouter.OnNoRoom"/>). <c>OnJoining</c> decides.
    /// Default false.
    /// </summary>
    public bool IsSpectator { get; init; }

    /// <summary>
    /// Whether the member is a further session of a user that has a seat (<see cref="SessionOptions.MaxPerUser"/>): it takes a place of
    /// <see cref="RoomSettings.SpectatorCapacity"/>, and acts as every member. <c>OnJoining</c> decides. Default false.
    /// </summary>
    public bool SharesSeat { get; init; }

    /// <summary>Whether it takes a place beside the seats.</summary>
    internal bool IsSeatless => IsSpectator || SharesSeat;

    /// <summary>The argument of its join, while rooms of the server may be recorded.</summary>
    internal object? JoinArgument { get; set; }

    /// <summary>
    /// Whether the member's connection is lost and the room waits for its return. What you send to it meanwhile is dropped.
    /// </summary>
    public bool IsAway { get; internal set; }

    /// <summary>
    /// Whether the member has missed nothing of this room at its last return: the room has replayed what it sent meanwhile
    /// (<see cref="SessionOptions.ReplayBytes"/>), and the client has received everything that the server sent on the broken connection.
    /// If the server is not sure of that, the value is <see langword="false"/>. Read it in <c>OnReturn</c>.
    /// </summary>
    /// <remarks>
    /// It needs the number of frames that the client has received, see <see cref="SessionRegistry.ResumeAsync"/>. Frames of
    /// <see cref="Connections.Delivery.DropIfBehind"/>, and all but the newest of <see cref="Connections.Delivery.LatestOnly"/>, do not
    /// count as missed.
    /// </remarks>
    public bool IsRecovered { get; internal set; }
}
