using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>A connected player: a session in a seat. It ends with the connection; the seat does not.</summary>
internal sealed class Player(Session session, Seat seat, ushort requestId) : RoomMember(session)
{
    public Seat Seat { get; } = seat;

    /// <summary>Of the request by which it joined.</summary>
    public ushort RequestId { get; } = requestId;
}
