using System.Globalization;

namespace PlayChat.Recording;

/// <summary>Compares what a room does in a replay with what its recording has, and keeps the first difference.</summary>
/// <remarks>
/// Invariant: <c>_turn</c> stands behind the entries that were repeated or compared. After the first difference nothing is compared any
/// more, and the entries of what the room sent are passed over.
/// </remarks>
internal sealed class ReplayTape(RecordingHeader header, PacketSet packets, ReplaySessions sessions) : RoomTape
{
    private const int MaxFaults = 100;

    private readonly Redaction _redaction = new(packets);
    private readonly List<RoomReplayFault> _faults = [];
    private EntryReader _turn = new(default);
    private string _input = "";

    internal RoomReplayDivergence? Divergence { get; private set; }

    internal IReadOnlyList<RoomReplayFault> Faults => _faults;

    internal uint OutputChecksum { get; private set; }

    /// <summary>The time of the present turn since the start.</summary>
    internal TimeSpan At { get; private set; }

    /// <summary>The number of the last tick.</summary>
    internal long LastTick { get; set; }

    /// <summary>What the room does.</summary>
    internal string Input => _input;

    /// <summary>Begins a turn.</summary>
    internal void Begin(EntryReader turn, TimeSpan at)
    {
        _turn = turn;
        At = at;
        _input = "OnCreate";
    }

    /// <summary>Begins the next thing that the room does. Call <see cref="PassOutputs"/> before its entry is read.</summary>
    internal void BeginInput(string input) => _input = input;

    /// <summary>Passes the recorded output that the room has not produced, which ends what it did before.</summary>
    internal void PassOutputs()
    {
        while (true)
        {
            switch (_turn.Next)
            {
                case EntryKind.Session:
                    sessions.Define(_turn);
                    break;
                case EntryKind.Sent:
                    _turn.ReadKind();
                    Output missing = ReadOutput();
                    Diverge(Describe(missing), "nothing");
                    break;
                case EntryKind.Failed:
                    _turn.ReadKind();
                    Diverge($"the exception {_turn.ReadText()}", "none");
                    break;
                case EntryKind.NotAccepted:
                    _turn.ReadKind();
                    break;
                default:
                    return;
            }
        }
    }

    internal void Diverge(string expected, string got, string? difference = null) =>
        Divergence ??= new RoomReplayDivergence(At, LastTick, _input, expected, got, difference);

    /// <summary>Notes an exception of a join. Its caller got it, and only in a cluster the room noted it as well.</summary>
    internal void JoinFailed(Exception exception)
    {
        DefineSessions();
        if (_turn.Next == EntryKind.Failed)
        {
            Failed(exception);
        }
        else
        {
            NoteFault(exception);
        }
    }

    private void NoteFault(Exception exception)
    {
        if (_faults.Count < MaxFaults)
        {
            _faults.Add(new RoomReplayFault(At, LastTick, _input, exception));
        }
    }

    internal override void Sent(
        FrameHeader header, ReadOnlySpan<byte> body, ReadOnlySpan<Session> to, bool isBroadcast, Session? except)
    {
        if (_redaction.Touches(header.PacketId))
        {
            body = _redaction.Apply(header.PacketId, body.ToArray());
        }

        int[] recipients = isBroadcast ? [except is null ? 0 : sessions.NumberOf(except)] : sessions.NumbersOf(to);
        var got = new Output(header, isBroadcast, recipients, body.Length, RecordingFormat.Checksum(body), null);
        OutputChecksum = unchecked((OutputChecksum * 31) + got.Mixed);
        if (Divergence is not null)
        {
            return;
        }

        DefineSessions();
        if (_turn.Next != EntryKind.Sent)
        {
            Diverge("nothing", Describe(got), string.Join(Environment.NewLine, Lines(header, body).Select(static line => "  + " + line)));
            return;
        }

        _turn.ReadKind();
        Output expected = ReadOutput();
        if (!expected.Equals(got))
        {
            string? difference = expected.Body is { } recorded
                ? FrameText.Difference(Lines(expected.Header, recorded.Span), Lines(header, body))
                : null;
            Diverge(Describe(expected), Describe(got), difference);
        }
    }

    internal override void Failed(Exception exception)
    {
        NoteFault(exception);
        DefineSessions();
        string name = exception.GetType().FullName!;
        if (Divergence is null && _turn.Next != EntryKind.Failed)
        {
            Diverge("no exception", $"{name}: {exception.Message}");
        }
        else if (Divergence is null)
        {
            _turn.ReadKind();
            string expected = _turn.ReadText();
            if (expected != name)
            {
                Diverge($"the exception {expected}", $"{name}: {exception.Message}");
            }
        }
    }

    internal override bool Accepted(bool isAccepted)
    {
        if (Divergence is not null || _turn.Next != EntryKind.NotAccepted)
        {
            return true;
        }

        _turn.ReadKind();
        return false;
    }

    internal override bool Recovered(bool isRecovered)
    {
        PassOutputs();
        if (_turn.Next != EntryKind.Recovered)
        {
            return isRecovered;
        }

        _turn.ReadKind();
        return _turn.ReadBoolean();
    }

    // The replay itself begins all of these.
    internal override void BeginTurn()
    {
    }

    internal override void EndInputs()
    {
    }

    internal override void EndTurn()
    {
    }

    internal override void SessionChanged(Session session)
    {
    }

    internal override void TimerDue(RoomTimer timer)
    {
    }

    internal override void Tick(in RoomTick tick)
    {
    }

    internal override void Item(in RoomItem item)
    {
    }

    internal override void Join(Session session, bool opens, Func<byte[]> argument)
    {
    }

    internal override void Leave(Session session, LeaveReason reason)
    {
    }

    internal override void LinkChanged(Session session, bool isAway, bool isRecovered)
    {
    }

    internal override void Received(Session from, FrameHeader header, byte[] body, bool isPacket)
    {
    }

    internal override void Command(RoomCommand command)
    {
    }

    internal override void Code(string name)
    {
    }

    private void DefineSessions()
    {
        while (_turn.Next == EntryKind.Session)
        {
            sessions.Define(_turn);
        }
    }

    private Output ReadOutput()
    {
        FrameHeader frame = _turn.ReadHeader();
        bool isBroadcast = _turn.ReadBoolean();
        int[] recipients = new int[isBroadcast ? 1 : _turn.ReadNumber()];
        for (int i = 0; i < recipients.Length; i++)
        {
            recipients[i] = (int)_turn.ReadNumber();
        }

        long length = _turn.ReadNumber();
        uint checksum = _turn.ReadUInt32();
        return new Output(frame, isBroadcast, recipients, length, checksum, header.HasBodies ? _turn.ReadBytes() : null);
    }

    private string[] Lines(FrameHeader frame, ReadOnlySpan<byte> body) => FrameText.LinesOf(packets.Find(frame.PacketId), body);

    private string Describe(Output output)
    {
        string name = packets.Find(output.Header.PacketId)?.Name
            ?? string.Create(CultureInfo.InvariantCulture, $"frame {output.Header.PacketId}");
        string to = !output.IsBroadcast ? string.Join(", ", output.Recipients.Select(sessions.Describe))
            : output.Recipients[0] == 0 ? "all"
            : $"all but {sessions.Describe(output.Recipients[0])}";
        return string.Create(CultureInfo.InvariantCulture, $"{name} to {to}, {output.Length} bytes (checksum {output.Checksum:x8})");
    }

    /// <summary>A frame that the room has sent.</summary>
    private readonly record struct Output(
        FrameHeader Header, bool IsBroadcast, int[] Recipients, long Length, uint Checksum, ReadOnlyMemory<byte>? Body)
    {
        internal uint Mixed => unchecked(
            (Recipients.Aggregate(Header.PacketId * 31u, static (mixed, number) => (mixed * 31) + (uint)number) * 31) + Checksum);

        public bool Equals(Output other) =>
            Header == other.Header && IsBroadcast == other.IsBroadcast && Length == other.Length && Checksum == other.Checksum
                && Recipients.AsSpan().SequenceEqual(other.Recipients);

        public override int GetHashCode() => (int)Mixed;
    }
}
