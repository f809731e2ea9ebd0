namespace PlayChat.Core.Tests.Diagnostics;

/// <summary>A clock that moves when the test says so.</summary>
internal sealed class SteppedClock : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _ticks;

    public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2024, 5, 6, 7, 8, 9, TimeSpan.Zero) + TimeSpan.FromTicks(_ticks);

    internal void Advance(TimeSpan by) => _ticks += by.Ticks;
}
