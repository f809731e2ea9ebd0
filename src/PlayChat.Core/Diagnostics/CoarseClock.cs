namespace PlayChat.Core.Diagnostics;

/// <summary>A clock that is cheap to read and exact to a few milliseconds, for work that takes far longer than it should.</summary>
internal readonly struct CoarseClock(TimeProvider time)
{
    private readonly TimeProvider? _time = ReferenceEquals(time, TimeProvider.System) ? null : time;

    /// <summary>Milliseconds since some moment. A read of the system's clock takes a third of what its exact time takes.</summary>
    internal long Milliseconds => _time is null ? Environment.TickCount64 : _time.GetTimestamp() / (_time.TimestampFrequency / 1000);
}
