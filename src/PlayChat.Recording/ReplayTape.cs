using System.Runtime.InteropServices;

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

    private readonly Texts _texts = new();
    private readonly Texts _newTexts = new(); // those that the recording does not have, with numbers below 0
    private readonly List<RoomReplayFault> _faults = [];

    internal RoomReplayDivergence? Divergence { get; private set; }

    internal IReadOnlyList<RoomReplayFault> Faults => _faults;

    internal uint OutputChecksum { get; private set; }

    /// <summary>The time of the present turn since the start.</summary>
    internal TimeSpan At { get; set; }

    /// <summary>The number of the last tick.</summary>
    internal long LastTick { get; set; }

    /// <summary>What the room does.</summary>
    internal string Input { get; set; } = "";

    /// <summary>The kind of the next entry that is no session and no text.</summary>
    private EntryKind Next
    {
        get
        {
            while (file.Next is EntryKind.Session or EntryKind.Text)
            {
                Entry entry = file.Read();
                if (entry.Kind == EntryKind.Session)
                {
                    sessions.Define(entry);
                }
                else
                {
                    _texts.Add(entry.Content);
                }
            }

            return file.Next;
        }
    }

    /// <summary>Returns a text by its number.</summary>
    internal string TextOf(long number) => Encoding.UTF8.GetString(BytesOf(number));

    /// <summary>Returns the next thing that the room does; <see langword="null"/> at the end of the inputs.</summary>
    internal Entry? ReadInput()
    {
        PassOutputs();
        return Next == EntryKind.None || file.Read() is not { Kind: not EntryKind.EndOfTurn } input ? null : input;
    }

    /// <summary>Passes the recorded output that the room has not produced, which ends what it did before.</summary>
    internal void PassOutputs()
    {
        while (Next is EntryKind.Sent or EntryKind.Failed or EntryKind.NotAccepted)
        {
            Entry missing = file.Read();
            if (missing.Kind != EntryKind.NotAccepted)
            {
                Diverge(Describe(missing), "nothing");
            }
        }
    }

    internal void Diverge(string expected, string got, string? difference = null) =>
        Divergence ??= new RoomReplayDivergence(At, LastTick, Input, expected, got, difference);

    /// <summary>Notes an exception of a join. Its caller got it, and only in a cluster the room noted it as well.</summary>
    internal void JoinFailed(Exception exception)
    {
        if (Next == EntryKind.Failed)
        {
            Failed(exception);
        }
        else
        {
            NoteFault(exception);
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
        int number = _texts.Find(text);
        if (number >= 0)
        {
            return number;
        }

        number = _newTexts.Find(text);
        return ~(number < 0 ? _newTexts.Add(text) : number);
    }

    protected override void Output(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content)
    {
        foreach (long number in numbers)
        {
            OutputChecksum = unchecked((OutputChecksum * 31) + (uint)number);
        }

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
            Diverge(expected is { } recorded ? Describe(recorded) : "nothing", Describe(got) + message, difference);
        }
    }

    private void NoteFault(Exception exception)
    {
        if (_faults.Count < MaxFaults)
        {
            _faults.Add(new RoomReplayFault(At, LastTick, Input, exception));
        }
    }

    private ReadOnlySpan<byte> BytesOf(long number) => number < 0 ? _newTexts[(int)~number] : _texts[(int)number];

    private string[] LinesOf(Entry sent) => FrameText.LinesOf(packets.Find((ushort)sent.Numbers[0]), sent.Content);

    private string Describe(Entry output)
    {
        long[] numbers = output.Numbers;
        if (output.Kind == EntryKind.Failed)
        {
            return $"the exception {TextOf(numbers[0])}";
        }

        string name = packets.Find((ushort)numbers[0])?.Name ?? string.Create(CultureInfo.InvariantCulture, $"frame {numbers[0]}");
        string to = MemoryMarshal.Cast<byte, int>(BytesOf(numbers[3])).ToArray() switch
        {
            [Everyone] => "all",
            [Everyone, var except] => $"all but {sessions.Describe(except)}",
            var some => string.Join(", ", some.Select(number => sessions.Describe(number))),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{name} to {to}, {numbers[4]} bytes (checksum {numbers[5]:x8})");
    }
}
