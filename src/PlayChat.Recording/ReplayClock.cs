namespace PlayChat.Recording;

/// <summary>The server's clock in a replay: it stands still, and no timer fires. Rooms have the recorded times.</summary>
internal sealed class ReplayClock(DateTimeOffset startedAt) : TimeProvider
{
    private long _elapsed;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _elapsed);

    public override DateTimeOffset GetUtcNow() => startedAt.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new Timer();

    /// <summary>Sets the clock to a time since the start.</summary>
    internal void Set(long elapsedTicks) => Interlocked.Exchange(ref _elapsed, elapsedTicks);

    private sealed class Timer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
