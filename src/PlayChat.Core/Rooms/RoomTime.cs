namespace PlayChat.Core.Rooms;

/// <summary>
/// The clock of a room that may be recorded: it stands still during a recorded turn, so that a recording needs one time for each turn.
/// Otherwise it is the server's clock. It begins to run after the room's constructor.
/// </summary>
/// <remarks>The room's turn alone stops it and lets it run. Other threads may read it; they see the standing clock as well.</remarks>
internal sealed class RoomTime(TimeProvider real) : TimeProvider
{
    private readonly long _origin = real.GetTimestamp();
    private Standing? _standing = new(0, real.GetUtcNow());

    public override TimeZoneInfo LocalTimeZone => real.LocalTimeZone;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _standing)?.Timestamp ?? RunningTimestamp;

    public override DateTimeOffset GetUtcNow() => Volatile.Read(ref _standing)?.UtcNow ?? real.GetUtcNow();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        real.CreateTimer(callback, state, dueTime, period);

    /// <summary>The timestamp of the server's clock in the frequency of this one.</summary>
    internal long RunningTimestamp => real.GetElapsedTime(_origin).Ticks;

    internal void Stop(long timestamp, DateTimeOffset utcNow) => Volatile.Write(ref _standing, new Standing(timestamp, utcNow));

    internal void Run() => Volatile.Write(ref _standing, null);

    private sealed record Standing(long Timestamp, DateTimeOffset UtcNow);
}
