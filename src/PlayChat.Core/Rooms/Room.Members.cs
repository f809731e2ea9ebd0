using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// Who is in the room. All of it belongs to the turn.
public abstract partial class Room
{
    private readonly Dictionary<Session, int> _memberIndex = [];
    private Session[] _members = [];
    private Connection[] _links = []; // theirs, in the same places: a flush touches nothing else of a member
    private int _memberCount;

    /// <summary>The members in no particular order; valid until the next <see cref="Enter"/> or <see cref="Leave"/>.</summary>
    protected ReadOnlySpan<Session> Members => _members.AsSpan(0, _memberCount);

    /// <summary>Whether a session is a member.</summary>
    protected bool Contains(Session session) => _memberIndex.ContainsKey(session);

    /// <summary>Makes a session a member. It gets what is broadcast from now on, nothing of before.</summary>
    /// <returns>Whether it is one now, or why not.</returns>
    protected EnterResult Enter(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (_removed)
        {
            return EnterResult.Removed;
        }

        if (_memberIndex.ContainsKey(session))
        {
            return EnterResult.AlreadyMember;
        }

        if (IsFull)
        {
            return EnterResult.Full;
        }

        if (!session.TryAttach(this))
        {
            return EnterResult.SessionEnded;
        }

        QueueBlocks();
        if (_memberCount == _members.Length)
        {
            Array.Resize(ref _members, Math.Max(4, _memberCount * 2));
            Array.Resize(ref _links, _members.Length);
        }

        _memberIndex[session] = _memberCount;
        _members[_memberCount] = session;
        _links[_memberCount] = session.Connection;
        Volatile.Write(ref _memberCount, _memberCount + 1);
        return EnterResult.Entered;
    }

    /// <summary>Ends a membership. What was broadcast before still reaches the session.</summary>
    /// <returns><see langword="false"/> when it was no member.</returns>
    protected bool Leave(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        return TakeOut(session) >= 0;
    }

    /// <summary>Where a member stands, or -1.</summary>
    private protected int PlaceOf(Session session) => _memberIndex.TryGetValue(session, out int index) ? index : -1;

    /// <summary>Ends a membership.</summary>
    /// <returns>Where it stood: the last member stands there now. -1 when it was no member.</returns>
    private protected int TakeOut(Session session)
    {
        int index = PlaceOf(session);
        if (index < 0)
        {
            return index;
        }

        QueueBlocks();
        _touched.Add(session.Connection); // no longer among those who are flushed as members
        _memberIndex.Remove(session);
        session.Detach(this);
        int last = _memberCount - 1;
        if (index != last)
        {
            _members[index] = _members[last];
            _links[index] = _links[last];
            _memberIndex[_members[index]] = index;
        }

        _members[last] = null!;
        _links[last] = null!;
        Volatile.Write(ref _memberCount, last);
        _mayBeEmpty = true;
        return index;
    }
}
