using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that notes its ticks.</summary>
internal sealed class TickRoom(RoomContext context) : Room(context)
{
    internal List<RoomTick> Ticks { get; } = [];

    internal Action<TickRoom>? Ticking { get; set; }

    internal new void StartTick(double hertz) => base.StartTick(hertz);

    internal new void StopTick() => base.StopTick();

    internal new RoomTimer After(TimeSpan delay, Action job) => base.After(delay, job);

    internal new RoomTimer Every(TimeSpan period, Action job) => base.Every(period, job);

    internal new void Remove() => base.Remove();

    protected override void OnTick(in RoomTick tick)
    {
        Ticks.Add(tick);
        Ticking?.Invoke(this);
    }
}
