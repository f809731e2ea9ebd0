namespace PlayChat.Recording;

/// <summary>Compares what a room does in a replay with what its recording has, and keeps the first difference.</summary>
/// <remarks>
/// Invariant: the entries that were repeated or compared are read. After the first difference nothing is compared any more, and the
/// entries of what the room sent are passed over.
/// </remarks>
internal sealed class ReplayTape(RecordingFile file, PacketSet packets, ReplaySessions sessions)
    : EntryTape(new Redaction(packets), file.Header.HasBodies)
{
    private const int MaxFaults = 100;

    private readonly List<RoomReplayFault> _faults = [];

    internal RoomReplayDivergence? Divergence { get; private set; }

    internal IReadOnlyList<RoomReplayFault> Faults => _faults;

    /// <summary>The time of the present turn since the start.</summary>
    internal TimeSpan At { get; set; }

    internal long LastTick { get; set; }

    /// <summary>What the room does.</summary>
    internal string Input { get; set; } = "";

    internal EntryText Words { get; } = new(packets);

    /// <summary>The kind of the next entry that is no session and no text.</summary>
    private EntryKind Next
    {
        get
        {
            while (file.Next is EntryKind.Session or EntryKind.Text)
            {
                Entry entry = file.Read();
                Words.Define(entry);
                if (entry.Kind == EntryKind.Session)
                {
                    sessions.Define(entry);
                }
            }

            return file.Next;
        }
    }

    /// <summary>Returns the next thing that the room does; <see langword="null"/> at the end of the inputs.</summary>
    internal Entry? ReadInput()
    {
        PassOutputs();
        return Next is EntryKind.None or EntryKind.Drawn || file.Read() is not { Kind: not EntryKind.EndOfTurn } input ? null : input;
    }

    /// <summary>Passes the recorded output that the room has not produced, which ends what it did before.</summary>
    internal void PassOutputs()
    {
        while (Next is EntryKind.Sent or EntryKind.Failed or EntryKind.NotAccepted)
        {
            Entry missing = file.Read();
            if (missing.Kind != EntryKind.NotAccepted)
            {
                Diverge(Words.Describe(missing), "nothing");
            }
        }
    }

    /// <summary>Compares at the end of a turn how many random numbers the room has drawn in it.</summary>
    internal void Draw(long drawn)
    {
        long recorded = Next == EntryKind.Drawn ? file.Read().Numbers[0] : 0;
        if (drawn != recorded)
        {
            Diverge($"random numbers drawn: {recorded}", $"{drawn}");
        }
    }

    internal void Diverge(string expected, string got, string? difference = null) =>
        Divergence ??= new RoomReplayDivergence(At, LastTick, Input, expected, got, difference);

    /// <summary>Notes an exception of a join. Its caller got it, and only in a cluster the room noted it as well.</summary>
    internal void JoinFailed(Exception exception)
    {
        NoteFault(exception);
        if (Next == EntryKind.Failed)
        {
            base.Failed(exception);
        }
    }

    internal override void Failed(Exception exception)
    {
        NoteFault(exception);
        base.Failed(exception);
    }

    internal override bool Accepted(bool isAccepted)
    {
        bool isRefused = Divergence is null && Next == EntryKind.NotAccepted;
        if (isRefused)
        {
            file.Read();
        }

        return !isRefused;
    }

    internal override bool Recovered(bool isRecovered)
    {
        PassOutputs();
        return Next == EntryKind.Recovered ? file.Read().Numbers[0] != 0 : isRecovered;
    }

    protected override int NumberOf(Session session) => sessions.NumberOf(session);

    protected override int NumberOf(ReadOnlySpan<byte> text)
    {
        _ = Next; // the recording defines a text before its first use
        return Words.NumberOf(text);
    }

    protected override void Output(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content)
    {
        if (Divergence is not null)
        {
            return;
        }

        var got = new Entry(kind, numbers.ToArray(), content.ToArray());
        Entry? expected = Next == kind ? file.Read() : null;
        if (expected?.Numbers.AsSpan(0, numbers.Length).SequenceEqual(numbers) != true)
        {
            bool hasContent = file.Header.HasBodies && kind == EntryKind.Sent;
            string? difference = hasContent ? FrameText.Difference(expected is { } entry ? LinesOf(entry) : [], LinesOf(got)) : null;
            string message = kind == EntryKind.Failed ? $": {_faults[^1].Exception.Message}" : "";
            Diverge(expected is { } recorded ? Words.Describe(recorded) : "nothing", Words.Describe(got) + message, difference);
        }
    }

    private void NoteFault(Exception exception)
    {
        if (_faults.Count < MaxFaults)
        {
            _faults.Add(new RoomReplayFault(At, LastTick, Input, exception));
        }
    }

    private string[] LinesOf(Entry sent) => FrameText.LinesOf(Words.PacketOf(sent), sent.Content);
}
