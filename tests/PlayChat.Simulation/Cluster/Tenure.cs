using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>What one object has done in which it ran a room of the cluster, and what it has continued.</summary>
/// <param name="tag">Its number in the world.</param>
/// <param name="roomId">The room.</param>
/// <param name="owner">The life of the node that runs the room.</param>
/// <param name="grant">Which ownership of the room it is, by the directory: later ones are higher.</param>
internal sealed class Tenure(int tag, long roomId, RecordOrigin owner, int grant)
{
    private readonly List<(RoomEvent Event, long Session)> _events = [];
    private readonly Dictionary<(int User, int Number), int> _said = [];

    internal int Tag => tag;

    internal long RoomId => roomId;

    internal RecordOrigin Owner => owner;

    internal int Grant => grant;

    /// <summary>What it has continued; <see langword="null"/> if it began the room.</summary>
    internal Tenure? Base { get; private set; }

    /// <summary>The events of the room until it continued it.</summary>
    internal int BaseCount { get; private set; }

    /// <summary>The events of the room so far.</summary>
    internal int Count => BaseCount + _events.Count;

    /// <summary>The sessions of the members, by the members' numbers.</summary>
    internal SortedDictionary<int, long> Members { get; } = [];

    /// <summary>Continues the room behind an event of another object.</summary>
    internal void Continue(Tenure from, int count)
    {
        (Base, BaseCount) = (from, count);
        from.AddMembers(count, Members);
    }

    internal void Add(RoomEvent item, int user, long session)
    {
        _events.Add((item, session));
        if (item.Kind == EventKind.Say)
        {
            _said[(user, item.Number)] = Count;
        }

        Apply(item, session, Members);
    }

    /// <summary>The event with a number; <see langword="null"/> if it has not happened.</summary>
    internal RoomEvent? At(int number) => number > Count || number < 1 ? null
        : number > BaseCount ? _events[number - BaseCount - 1].Event
        : Base!.At(number);

    /// <summary>The number of the event of a message; 0 if the room does not have it.</summary>
    internal int Find(int user, int number, int count = int.MaxValue)
    {
        int found = _said.GetValueOrDefault((user, number));
        return found > 0 && found <= count ? found : Base?.Find(user, number, Math.Min(count, BaseCount)) ?? 0;
    }

    /// <summary>Whether the room continues from the first events of another object.</summary>
    internal bool Includes(Tenure other, int count)
    {
        int limit = Count;
        for (Tenure? tenure = this; tenure is not null; tenure = tenure.Base)
        {
            if (tenure == other)
            {
                return count <= limit;
            }

            limit = Math.Min(limit, tenure.BaseCount);
        }

        return false;
    }

    private static void Apply(RoomEvent item, long session, SortedDictionary<int, long> members)
    {
        if (item.Kind == EventKind.Join)
        {
            members[item.Member] = session;
        }
        else if (item.Kind == EventKind.Leave)
        {
            members.Remove(item.Member);
        }
    }

    private void AddMembers(int count, SortedDictionary<int, long> members)
    {
        Base?.AddMembers(Math.Min(count, BaseCount), members);
        foreach ((RoomEvent item, long session) in _events.Take(Math.Max(0, count - BaseCount)))
        {
            Apply(item, session, members);
        }
    }
}
