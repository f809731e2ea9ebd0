namespace PlayChat.Recording;

/// <summary>The server's clock in a replay: it stands still, and no timer fires. Rooms have the recorded times.</summary>
internal sealed class ReplayClock(DateTimeOffset startedAt) : TimeProvider, ITimer
{
    private long _elapsed;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _elapsed);

    public override DateTimeOffset GetUtcNow() => startedAt.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => this;

    bool ITimer.Change(TimeSpan dueTime, TimeSpan period) => true;

    void IDisposable.Dispose()
    {
    }

    ValueTask IAsyncDisposable.DisposeAsync() => default;

    /// <summary>Sets the clock to a time since the start.</summary>
    internal void Set(long elapsedTicks) => Interlocked.Exchange(ref _elapsed, elapsedTicks);
}
