using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Ticks;

/// <summary>A room that broadcasts at each tick, and notes how late that is.</summary>
internal sealed class TickRoom(RoomContext context, TickSettings settings, LatencyRecorder drift) : Room<RoomMember>(context)
{
    private readonly byte[] _body = new byte[settings.Bytes];

    /// <summary>Gives it a job that broadcasts.</summary>
    public ValueTask<bool> FloodAsync() =>
        this.PostAsync(static (TickRoom room, object? _) => room.Broadcast(room._body), null);

    /// <inheritdoc/>
    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    /// <inheritdoc/>
    protected override void OnCreate()
    {
        if (settings.Hertz > 0)
        {
            StartTick(settings.Hertz);
        }
    }

    /// <inheritdoc/>
    protected override void OnTick(in RoomTick tick)
    {
        drift.Record((long)tick.Drift.TotalNanoseconds);
        Broadcast(_body);
    }
}
