namespace PlayChat.Recording;

/// <summary>What a replay has found.</summary>
/// <typeparam name="TRoom">The room.</typeparam>
public sealed record RoomReplayResult<TRoom>
    where TRoom : Room
{
    /// <summary>The room after its last recorded turn. No turn runs any more.</summary>
    public required TRoom Room { get; init; }

    /// <summary>The turns that were repeated.</summary>
    public required long Turns { get; init; }

    /// <summary>The ticks among them.</summary>
    public required long Ticks { get; init; }

    /// <summary>The recorded time.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>How long the replay took.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Why the recording ended; unknown if its file is torn or damaged: then everything before that was repeated.</summary>
    public required RecordingEnd End { get; init; }

    /// <summary>The first difference; <see langword="null"/> if the room has done the same as when it was recorded.</summary>
    public required RoomReplayDivergence? Divergence { get; init; }

    /// <summary>The exceptions that code of the room has thrown, the first 100. The recorded room has thrown them too, unless there is a
    /// <see cref="Divergence"/>.</summary>
    public required IReadOnlyList<RoomReplayFault> Faults { get; init; }

    /// <summary>Throws if the room has not done the same as when it was recorded.</summary>
    /// <exception cref="RoomReplayException">There is a <see cref="Divergence"/>; the message has it.</exception>
    public void ThrowIfDiverged()
    {
        if (Divergence is { } divergence)
        {
            throw new RoomReplayException($"The replay differs from the recording. {divergence}");
        }
    }

    /// <summary>Throws if code of the room has thrown an exception.</summary>
    /// <exception cref="RoomReplayException">There are <see cref="Faults"/>; the inner exception is the first.</exception>
    public void ThrowIfFaulted()
    {
        if (Faults is [var first, ..])
        {
            string what = $"{first.Exception.GetType().Name}: {first.Exception.Message}";
            throw new RoomReplayException(
                $"{FrameText.Where(first.At, first.Tick)}, {first.During} threw {what}", first.Exception);
        }
    }

    /// <summary>Says the result in a line, or the divergence in several.</summary>
    public override string ToString() => Divergence is { } divergence
        ? divergence.ToString()
        : string.Create(
            CultureInfo.InvariantCulture,
            $"identical, {Turns:N0} turns and {Ticks:N0} ticks of {Duration.TotalSeconds:N0} s in {Elapsed.TotalSeconds:N1} s");
}
