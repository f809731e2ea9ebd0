namespace PlayChat.Recording;

/// <summary>The first difference between a recording and its replay.</summary>
/// <param name="At">The time since the start of the recording.</param>
/// <param name="Tick">The number of the room's last tick until then; 0 before the first.</param>
/// <param name="During">What the room did, such as the handler of a packet.</param>
/// <param name="Expected">What the recording has.</param>
/// <param name="Got">What the replay has done.</param>
/// <param name="Difference">
/// The lines of both contents: those of the recording alone begin with <c>-</c>, those of the replay alone with <c>+</c>.
/// <see langword="null"/> if the recording has no contents (<see cref="RecordingOptions.RecordsBodies"/>).
/// </param>
public sealed record RoomReplayDivergence(TimeSpan At, long Tick, string During, string Expected, string Got, string? Difference)
{
    /// <summary>Says all of it, in several lines.</summary>
    public override string ToString()
    {
        string line = Environment.NewLine;
        string text = $"{FrameText.Where(At, Tick)}, in {During}:{line}  expected: {Expected}{line}  got:      {Got}";
        return Difference is null ? text : $"{text}{line}{Difference}";
    }
}
