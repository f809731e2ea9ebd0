namespace PlayChat.Cluster.Log;

/// <summary>Where a subscription begins.</summary>
public readonly record struct SubscribeFrom
{
    private SubscribeFrom(bool earliest, LogPosition? position)
    {
        IsEarliest = earliest;
        Position = position;
    }

    /// <summary>With the next record that is written.</summary>
    public static SubscribeFrom Tail => default;

    /// <summary>With the oldest record that the log still has.</summary>
    public static SubscribeFrom Earliest => new(earliest: true, position: null);

    /// <summary>Whether it is <see cref="Earliest"/>.</summary>
    public bool IsEarliest { get; }

    /// <summary>The position of <see cref="After"/>; otherwise <see langword="null"/>.</summary>
    public LogPosition? Position { get; }

    /// <summary>With the record behind a position.</summary>
    /// <param name="position">
    /// The last record that was handled. If the log no longer has it, the subscription first reports a gap to the handler.
    /// </param>
    public static SubscribeFrom After(LogPosition position) => new(earliest: false, position);
}
