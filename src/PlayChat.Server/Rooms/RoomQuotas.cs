using System.Runtime.CompilerServices;
using PlayChat.Core.Sessions;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Rooms;

/// <summary>How many rooms there may be, and how many one player may be in. Thread-safe.</summary>
internal sealed class RoomQuotas(ServerSettings settings)
{
    // By session: a player has one, and the rooms of one that was taken over are not held against the next.
    private readonly ConditionalWeakTable<Session, Quota> _joined = [];

    /// <summary>The rooms of the server: taken before one is made, given back when it is removed.</summary>
    public Quota Rooms { get; } = new(settings.Rooms.MaxRooms);

    /// <summary>The rooms of one player.</summary>
    public Quota Of(Session session) => _joined.GetValue(session, _ => new Quota(settings.Rooms.MaxPerPlayer));
}
