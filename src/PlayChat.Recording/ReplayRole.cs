namespace PlayChat.Recording;

/// <summary>What a room is in a replay: itself, but what it sends goes nowhere.</summary>
/// <param name="isClustered">Whether a cluster shared it.</param>
internal sealed class ReplayRole(bool isClustered) : RoomRole
{
    internal override bool IsClustered => isClustered;

    public override void OnCreate() => Hooks.OnCreate();

    public override void OnTick(in RoomTick tick) => Hooks.OnTick(in tick);

    public override void OnEmpty() => Hooks.OnEmpty();

    public override void OnDispose() => Hooks.OnDispose();

    public override void Run(in RoomItem item) => Hooks.Run(in item);

    public override void OnSessionChanged(Session session) => Hooks.OnSessionChanged(session);

    public override void TakeOut(Session member) => Hooks.TakeOut(member);

    public override void Remove() => Hooks.Remove();

    public override void OnEnded() => Hooks.OnEnded();

    internal override RoomUplink CreateUplink(RoomServices services) => new ReplayUplink(services.Format);

    internal override void OnSeated(Session session)
    {
    }

    internal override void OnUnseated(Session session)
    {
    }

    internal override void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node)
    {
    }
}
