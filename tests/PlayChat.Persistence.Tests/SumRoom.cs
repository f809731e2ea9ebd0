using System.Buffers;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Persistence.Tests;

/// <summary>Members add to a sum. The tests look at its fields when it is idle.</summary>
public sealed class SumRoom(RoomContext context) : Room<SumMember, Join>(context)
{
    public RestoredRoom? Restored { get; } = context.Restored;

    /// <summary>The hooks that were called for members, in order.</summary>
    public List<string> Hooks { get; } = [];

    public int Sum { get; private set; }

    /// <summary>The state that is not readable.</summary>
    public int Unreadable { get; init; } = -1;

    public IReadOnlyList<string> Colors => [.. Members.Select(static member => member.Color)];

    [Packet]
    public void OnAdd(SumMember member, Add add) => Sum += add.Amount;

    public void Lock() => SetLocked(true);

    public void Rename(string value) => SetProperty("title", value);

    public void End() => Remove();

    protected override JoinDecision<SumMember> OnJoining(Session session, Join join) => new SumMember(session, join.Color);

    protected override void OnJoined(SumMember member) => Hooks.Add("enter");

    protected override void OnAway(SumMember member) => Hooks.Add("away");

    protected override void OnReturn(SumMember member)
    {
        Hooks.Add("return");
        SendPacket(member.Session, new Sum(Sum, member.Color, member.IsRecovered));
    }

    protected override void OnLeave(SumMember member, LeaveReason reason) => Hooks.Add($"leave {reason}");

    protected override void OnSnapshot(IBufferWriter<byte> state) => state.Write(BitConverter.GetBytes(Sum));

    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        Sum = BitConverter.ToInt32(state);
        if (Sum == Unreadable)
        {
            Sum = 0;
            throw new InvalidDataException("The room cannot read this.");
        }
    }
}
