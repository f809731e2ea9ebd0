namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection in a room of a baseline server.</summary>
internal interface IBaselineMember
{
    /// <summary>Delivers frames in the room's order. Called under the room's lock.</summary>
    void Deliver(ReadOnlyMemory<byte> frames);

    /// <summary>Sends what was delivered. The deliverer calls it after it has released the room's lock.</summary>
    void Flush();
}

/// <summary>What the connections of a baseline server share: framing, rooms and counters. Thread-safe.</summary>
internal sealed class BaselineHub
{
    private readonly BaselineRoom[] _rooms;
    private int _accepted;

    public BaselineHub(BaselineSettings settings)
    {
        Framing = new BaselineFraming(hasShortLength: settings.Mode == BaselineMode.Broadcast);
        _rooms = settings.Mode == BaselineMode.Broadcast
            ? Enumerable.Range(0, settings.Rooms).Select(_ => new BaselineRoom(Counters)).ToArray()
            : [];
    }

    public BaselineFraming Framing { get; }

    public BaselineCounters Counters { get; } = new();

    /// <returns>Its room; <see langword="null"/> in a mode without rooms.</returns>
    public BaselineRoom? Enter(IBaselineMember member)
    {
        BaselineRoom? room = _rooms.Length == 0 ? null : _rooms[Interlocked.Increment(ref _accepted) % _rooms.Length];
        room?.Enter(member);
        Counters.OnAccepted(); // last: a member that is counted hears what is broadcast from then on
        return room;
    }

    public void Leave(IBaselineMember member, BaselineRoom? room)
    {
        room?.Leave(member);
        Counters.OnClosed();
    }
}

/// <summary>Connections that hear each other. Deliveries have one order for all members, as PlayChat's rooms have. Thread-safe.</summary>
internal sealed class BaselineRoom(BaselineCounters counters)
{
    private readonly object _gate = new();
    private IBaselineMember[] _members = []; // replaced under _gate, never changed

    public void Enter(IBaselineMember member)
    {
        lock (_gate)
        {
            _members = [.. _members, member];
        }
    }

    public void Leave(IBaselineMember member)
    {
        lock (_gate)
        {
            _members = _members.Where(other => other != member).ToArray();
        }
    }

    /// <summary>Passes all frames of one read on to every member: one copy and one send a member, however many frames there are.</summary>
    public void Broadcast(ReadOnlyMemory<byte> whole, int frames)
    {
        IBaselineMember[] members;
        lock (_gate)
        {
            members = _members;
            foreach (IBaselineMember member in members)
            {
                member.Deliver(whole);
            }
        }

        counters.OnDelivered((long)frames * members.Length);
        foreach (IBaselineMember member in members)
        {
            member.Flush();
        }
    }
}
