namespace PlayChat.Recording;

/// <summary>When a recording ends by itself. The room keeps running.</summary>
public sealed record RecordingLimits
{
    private const long MinBytes = 4096;

    /// <summary>The largest file in bytes. Default 64 MiB; from 4,096.</summary>
    public long MaxBytes { get; init; } = 64 << 20;

    /// <summary>The longest recording. Default 1 hour; more than 0.</summary>
    public TimeSpan MaxDuration { get; init; } = TimeSpan.FromHours(1);

    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    internal void Validate()
    {
        Check(MaxBytes, MinBytes, nameof(MaxBytes));
        Check(MaxDuration.Ticks, 1, nameof(MaxDuration));
    }

    internal static void Check(long value, long lowest, string name)
    {
        if (value < lowest)
        {
            throw new ArgumentOutOfRangeException(name, value, $"It must be at least {lowest}.");
        }
    }
}
