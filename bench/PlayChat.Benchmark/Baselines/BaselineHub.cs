namespace PlayChat.Benchmark.Baselines;

/// <summary>What all baseline servers share: framing, rooms and counters. Thread-safe.</summary>
internal sealed class BaselineHub
{
    private readonly BaselineRoom[] _rooms;
    private int _accepted;

    public BaselineHub(BaselineSettings settings)
    {
        Framing = BaselineFraming.Of(settings.Mode);
        _rooms = settings.Mode is BaselineMode.Echo or BaselineMode.Chat
            ? []
            : Enumerable.Range(0, settings.Rooms).Select(_ => new BaselineRoom(Counters)).ToArray();
    }

    public BaselineFraming Framing { get; }

    public BaselineCounters Counters { get; } = new();

    /// <summary>A connection begins.</summary>
    /// <returns>Its room; <see langword="null"/> in a mode without rooms.</returns>
    public BaselineRoom? Enter(IBaselineMember member)
    {
        BaselineRoom? room = _rooms.Length == 0 ? null : _rooms[Interlocked.Increment(ref _accepted) % _rooms.Length];
        room?.Enter(member);
        Counters.OnAccepted(); // last: a member that is counted hears what is broadcast from then on
        return room;
    }

    /// <summary>A connection has ended.</summary>
    public void Leave(IBaselineMember member, BaselineRoom? room)
    {
        room?.Leave(member);
        Counters.OnClosed();
    }
}
