using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.State.Tests;

/// <summary>A room with a state, which does what a test posts.</summary>
internal sealed class StateRoom<TState> : Room<RoomMember>
    where TState : SyncObject, new()
{
    internal const ushort PacketId = 60;

    internal StateRoom(RoomContext context, int maxWaitingBytes = 16 * 1024)
        : base(context) =>
        Sync = AddPart(new StateSync<TState>(new TState(), new StateOptions { PacketId = PacketId, MaxWaitingBytes = maxWaitingBytes }));

    internal StateSync<TState> Sync { get; }

    internal TState State => Sync.State;

    internal Action? Ticked { get; set; }

    internal Action<RoomMember>? Entered { get; set; }

    internal void Tick(double hertz) => StartTick(hertz);

    internal RoomMember MemberOf(Session session) => Find(session)!;

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    protected override void OnJoined(RoomMember member) => Entered?.Invoke(member);

    protected override void OnTick(in RoomTick tick) => Ticked?.Invoke();
}
