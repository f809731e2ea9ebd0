namespace PlayChat.Benchmark.Baselines;

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
