using System.Collections;

namespace PlayChat.Core.Rooms;

/// <summary>The members of a room, in no particular order: a list that the room keeps up to date.</summary>
/// <remarks>
/// Only for the room's turn. An enumeration throws <see cref="InvalidOperationException"/> after a member has joined or left: to remove
/// several members, enumerate a copy. <c>foreach</c> allocates nothing.
/// </remarks>
/// <typeparam name="TMember">The type of the members.</typeparam>
public sealed class RoomMembers<TMember> : IReadOnlyList<TMember>
    where TMember : RoomMember
{
    private readonly List<TMember> _members = [];

    internal RoomMembers()
    {
    }

    /// <summary>How many of them are spectators.</summary>
    internal int Spectators { get; private set; }

    /// <inheritdoc/>
    public int Count => _members.Count;

    /// <inheritdoc/>
    public TMember this[int index] => _members[index];

    /// <summary>Returns an enumerator that allocates nothing.</summary>
    public List<TMember>.Enumerator GetEnumerator() => _members.GetEnumerator();

    IEnumerator<TMember> IEnumerable<TMember>.GetEnumerator() => _members.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _members.GetEnumerator();

    internal void Add(TMember member)
    {
        _members.Add(member);
        Spectators += member.IsSeatless ? 1 : 0;
    }

    /// <summary>Removes the member at a place. The last member then has this place.</summary>
    internal void RemoveAt(int place)
    {
        Spectators -= _members[place].IsSeatless ? 1 : 0;
        _members[place] = _members[^1];
        _members.RemoveAt(_members.Count - 1);
    }
}
