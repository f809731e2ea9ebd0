using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that notes its ticks.</summary>
internal sealed class TickRoom(RoomContext context) : PlainRoom(context)
{
    internal List<RoomTick> Ticks { get; } = [];

    internal Action<TickRoom>? Ticking { get; set; }

    /// <summary>A harness with such a room.</summary>
    internal static Task<RoomHarness<TickRoom>> StartAsync(Action<PlayChatServer>? configure = null) =>
        HarnessSteps.StartAsync(static context => new TickRoom(context), configure);

    internal new JoinStatus Join(Session session) => base.Join(session).Status;

    internal new void StartTick(double hertz) => base.StartTick(hertz);

    internal new void StopTick() => base.StopTick();

    internal new RoomTimer After(TimeSpan delay, Action job) => base.After(delay, job);

    internal new RoomTimer Every(TimeSpan period, Action job) => base.Every(period, job);

    internal new void Remove() => base.Remove();

    internal void BroadcastTo(ReadOnlySpan<Session> to, byte[] body) => base.BroadcastTo(to, body);

    internal void BroadcastBadlyTo(Session to) =>
        BroadcastTo([to], default, 10, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."));

    protected override void OnTick(in RoomTick tick)
    {
        Ticks.Add(tick);
        Ticking?.Invoke(this);
    }
}
