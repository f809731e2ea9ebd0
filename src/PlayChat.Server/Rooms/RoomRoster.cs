using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Rooms;

/// <summary>The members of a room, including those whose connection broke. For the room's turn alone, except <see cref="Count"/>.</summary>
/// <remarks>Each player is a member at most once. A player who leaves and joins again keeps the ids of the messages it sent.</remarks>
/// <param name="recentMessageIds">The number of message ids to remember for each member.</param>
internal sealed class RoomRoster(int recentMessageIds)
{
    private readonly Dictionary<long, RoomMember> _byPlayer = [];
    private readonly FormerMembers _former = new();
    private volatile int _count;

    /// <summary>The number of members. Safe to read from any thread.</summary>
    public int Count => _count;

    /// <summary>The members as clients see them.</summary>
    public IEnumerable<Member> Shown => _byPlayer.Values.Select(static member => member.Shown);

    /// <summary>Finds a player.</summary>
    public RoomMember? Find(long playerId) => _byPlayer.GetValueOrDefault(playerId);

    /// <summary>Finds the member that uses a session now. An older or newer session of the same player does not match.</summary>
    public RoomMember? Find(Session session) => Find(session.User!.Id) is { } member && member.Session == session ? member : null;

    /// <summary>Finds the member with a presence. An older or newer login of the same player does not match.</summary>
    public RoomMember? Find(Presence presence) => Find(presence.User.Id) is { } member && member.Presence == presence ? member : null;

    public void Add(Presence presence, Session session)
    {
        RecentMessages recent = _former.Take(presence.User.Id) ?? new RecentMessages(recentMessageIds);
        _byPlayer.Add(presence.User.Id, new RoomMember(presence, session, recent));
        _count = _byPlayer.Count;
    }

    public void Remove(RoomMember member)
    {
        _byPlayer.Remove(member.Shown.PlayerId);
        _former.Add(member);
        _count = _byPlayer.Count;
    }
}
