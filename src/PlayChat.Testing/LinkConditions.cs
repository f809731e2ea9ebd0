namespace PlayChat.Testing;

/// <summary>The quality of a link, such as its latency. Immutable; the default is a perfect link.</summary>
/// <remarks>Time is that of the transport's clock, so under a <see cref="ManualTimeProvider"/> everything here is exact and
/// repeatable.</remarks>
public sealed record LinkConditions
{
    private readonly TimeSpan _latency;
    private readonly TimeSpan _jitter;
    private readonly int _maxReceiveBytes = int.MaxValue;

    /// <summary>No latency, no jitter, no partial reads.</summary>
    public static LinkConditions Perfect { get; } = new();

    /// <summary>The time from one end of the link to the other, 0 to 1 hour. Default 0. A round trip takes twice as long.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or more than an hour.</exception>
    public TimeSpan Latency
    {
        get => _latency;
        init => _latency = Checked(value);
    }

    /// <summary>
    /// The longest time that a send may take beyond <see cref="Latency"/>, 0 to 1 hour; drawn anew for each send. Default 0. Bytes keep
    /// their order: a send that would overtake an earlier one arrives together with it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or more than an hour.</exception>
    public TimeSpan Jitter
    {
        get => _jitter;
        init => _jitter = Checked(value);
    }

    /// <summary>From what jitter is drawn, with the number of the link and its direction: the same seed gives the same times. Default
    /// 0.</summary>
    public int Seed { get; init; }

    /// <summary>The most that one receive gives, 1 or more bytes. Default no limit; 1 cuts frames everywhere.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxReceiveBytes
    {
        get => _maxReceiveBytes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxReceiveBytes = value;
        }
    }

    private static TimeSpan Checked(TimeSpan value)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromHours(1));
        return value;
    }
}
