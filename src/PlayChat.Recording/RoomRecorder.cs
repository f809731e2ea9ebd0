using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Recording;

/// <summary>Writes what a room's turn runs and sends into the room's recording.</summary>
/// <remarks>
/// <para>Invariant: <c>_turn</c> has the entries of the present turn, and <c>writer</c> all turns before. A session is in
/// <c>_sessions</c> as it was written last.</para>
/// <para>Only the room's turn uses it, except <see cref="Progress"/> and <see cref="End"/>.</para>
/// </remarks>
internal sealed class RoomRecorder(Room room, RecordingHeader header, Redaction redaction, RecordingLimits limits, RecordingWriter writer)
    : EntryTape(redaction, header.HasBodies)
{
    private readonly RoomTime _clock = room.Context.RecordedTime!;
    private readonly DateTimeOffset _startedAt = header.StartedAt;
    private readonly long _start = header.Timestamp;
    private readonly RoomRandom _random = (RoomRandom)room.Context.Random;
    private readonly EntryWriter _turn = new();
    private readonly Dictionary<Session, (int Number, SessionUser? User)> _sessions = [];
    private readonly Texts _texts = new();
    private int _lastSession;
    private long _draws = ((RoomRandom)room.Context.Random).Draws; // that are written
    private bool _isEnding; // until something follows the inputs
    private long _now = header.Timestamp; // of the present turn
    private long _written = header.Timestamp; // the time of the last turn that was written
    private long _turns;
    private int _end; // a RecordingEnd, from the request on

    /// <summary>Why it has ended or is about to; unknown while it runs. Thread-safe.</summary>
    internal RecordingEnd End => (RecordingEnd)Volatile.Read(ref _end);

    /// <summary>The recorded turns and the time since the start, as far as they are known now. Thread-safe.</summary>
    internal (long Turns, TimeSpan Duration) Progress =>
        (Interlocked.Read(ref _turns), TimeSpan.FromTicks(Interlocked.Read(ref _written) - _start));

    /// <summary>Ends the recording with the present turn.</summary>
    /// <returns>Why it ended before; unknown if it ran.</returns>
    internal RecordingEnd Stop(RecordingEnd reason) =>
        (RecordingEnd)Interlocked.CompareExchange(ref _end, (int)reason, (int)RecordingEnd.Unknown);

    /// <summary>Writes the beginning of the file. Call it once, as the first method.</summary>
    internal void Begin(RecordingHeader first)
    {
        _turn.Write(EntryKind.Header, [], JsonSerializer.SerializeToUtf8Bytes(first, RecordingHeader.Json.Default.RecordingHeader));
        writer.Add(_turn.Written);
    }

    internal override void BeginTurn()
    {
        _now = _clock.RunningTimestamp;
        _clock.Stop(_now, _startedAt + TimeSpan.FromTicks(_now - _start));
        _isEnding = false;
        _turn.Clear();
    }

    internal override void EndInputs() => _isEnding = true;

    internal override void EndTurn()
    {
        const int FrameBytes = 2 * (EntryWriter.MaxNumberBytes + sizeof(uint)); // of this record and of that of the end
        _clock.Run();
        if (!_turn.Written.IsEmpty && _random.Draws > _draws)
        {
            _turn.Write(EntryKind.Drawn, [_random.Draws - _draws]);
            _draws = _random.Draws;
        }

        if (writer.AddedBytes + _turn.Written.Length + FrameBytes > limits.MaxBytes)
        {
            Stop(RecordingEnd.MaxBytes);
        }
        else if (!_turn.Written.IsEmpty)
        {
            writer.Add(_turn.Written);
            Interlocked.Exchange(ref _written, _now);
            Interlocked.Increment(ref _turns);
        }

        if (room.Turn.HasEnded)
        {
            Stop(RecordingEnd.RoomEnded);
        }
        else if (_now - _start >= limits.MaxDuration.Ticks)
        {
            Stop(RecordingEnd.MaxDuration);
        }

        if (!writer.TryFlush(_now))
        {
            Stop(writer.Fault is null ? RecordingEnd.DiskTooSlow : RecordingEnd.WriteFailed);
        }

        if (End != RecordingEnd.Unknown)
        {
            room.Tape = null;
            _turn.Clear();
            _turn.Write(EntryKind.End, [(long)End]);
            writer.Add(_turn.Written);
            writer.Complete();
        }
    }

    internal override void SessionChanged(Session session, bool hasEnded, Connection connection, bool isAway)
    {
        Write(EntryKind.Changed, [NumberOf(session), hasEnded ? 1 : 0, isAway ? 1 : 0, connection.Id]);
        if (hasEnded)
        {
            _sessions.Remove(session);
        }
    }

    internal override void TimerDue(RoomTimer timer) =>
        Write(EntryKind.Timer, [timer.Number, timer.Delay.Ticks, NumberOf(DelegateName.Of(timer.Job!))]);

    internal override void Tick(in RoomTick tick) =>
        Write(EntryKind.Tick, [tick.Number, tick.Elapsed.Ticks, tick.Missed, tick.Drift.Ticks]);

    internal override void Item(in RoomItem item)
    {
        try
        {
            Describe(in item);
        }
        catch (Exception e)
        {
            // The message is the application's, and may be readable but not writable: JSON reads 1e999 as infinity, and writes no infinity.
            // The exception's text may show what is not recorded, so it stays out.
            Code($"{item.Invoker?.NameOf(in item)} (its content cannot be written: {e.GetType().Name})");
        }
    }

    private void Describe(in RoomItem item)
    {
        RoomInvoker? invoker = item.Invoker?.Inner;
        if (invoker is null)
        {
            Received((Session)item.First!, item.Header, item.Body!.Array.AsSpan(0, item.Body.Written), isPacket: false);
        }
        else if (item.First is IRoomInput input)
        {
            input.Describe(this);
        }
        else if (invoker.NamedJob is { } job)
        {
            ReadOnlySpan<byte> argument = job.Encode(item.First);
            bool isRecorded = Redaction.TryApply(job.ArgumentType, ref argument);
            WriteUnlessSecret(isRecorded, EntryKind.Job, [NumberOf(job.Name)], argument, $"the job {job.Name}");
        }
        else if (invoker.TryEncode(in item, out byte[] body))
        {
            if (((Connection)item.First!).Get<Session>() is { } from) // otherwise it is no member, and is refused
            {
                Received(from, item.Header, body, isPacket: true);
            }
        }
        else if (item.First is not RoomRole) // saves the room, and changes nothing of it
        {
            Code(invoker.NameOf(in item));
        }
    }

    internal override void Join(Session session, bool opens, byte[] argument)
    {
        ReadOnlySpan<byte> content = argument;
        bool isRecorded = Redaction.TryApply(room.JoinPacket?.Id, ref content);
        WriteUnlessSecret(isRecorded, EntryKind.Join, [NumberOf(session), opens ? 1 : 0, session.HasEnded ? 1 : 0], content, "a join");
    }

    internal override void Leave(Session session, LeaveReason reason) => Write(EntryKind.Leave, [NumberOf(session), (long)reason]);

    internal override void LinkChanged(Session session, bool isAway, bool isRecovered) =>
        Write(EntryKind.LinkChanged, [NumberOf(session), isAway ? 1 : 0, isRecovered ? 1 : 0]);

    internal override void Received(Session from, FrameHeader header, ReadOnlySpan<byte> body, bool isPacket)
    {
        bool isRecorded = !isPacket || Redaction.TryApply(header.PacketId, ref body);
        WriteUnlessSecret(
            isRecorded,
            isPacket ? EntryKind.Packet : EntryKind.Frame,
            [NumberOf(from), header.PacketId, header.RequestId, header.SenderId],
            body,
            "the handler of a packet");
    }

    internal override void Command(RoomCommand command) => Write(EntryKind.Command, [command.Number]);

    internal override void Code(string name) => Write(EntryKind.Code, [NumberOf(name)]);

    internal override bool Accepted(bool isAccepted)
    {
        if (!isAccepted)
        {
            Write(EntryKind.NotAccepted, []);
        }

        return isAccepted;
    }

    internal override bool Recovered(bool isRecovered)
    {
        Write(EntryKind.Recovered, [isRecovered ? 1 : 0]);
        return isRecovered;
    }

    protected override void Output(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content)
    {
        if (_isEnding)
        {
            _isEnding = false;
            Write(EntryKind.EndOfTurn, []);
        }

        Write(kind, numbers, content);
    }

    /// <summary>Returns the number of a session, and writes the session if the recording does not know it as it is now.</summary>
    protected override int NumberOf(Session session)
    {
        SessionUser? user = session.User;
        (int number, SessionUser? known) = _sessions.GetValueOrDefault(session);
        if (number == 0 || known != user)
        {
            number = number > 0 ? number : ++_lastSession;
            _sessions[session] = (number, user);
            Write(
                EntryKind.Session,
                [number, session.Id, session.Announced.Connection.Id, user is null ? 0 : 1, user?.Id ?? 0],
                Encoding.UTF8.GetBytes(user?.Name ?? ""));
        }

        return number;
    }

    protected override int NumberOf(ReadOnlySpan<byte> text)
    {
        int number = _texts.Find(text);
        if (number < 0)
        {
            number = _texts.Add(text);
            Write(EntryKind.Text, [], text);
        }

        return number;
    }

    private void WriteUnlessSecret(bool isRecorded, EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content, string name)
    {
        if (isRecorded)
        {
            Write(kind, numbers, content);
        }
        else
        {
            Code($"{name} (its content is not recorded)");
        }
    }

    private void Write(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content = default)
    {
        if (_turn.Written.IsEmpty)
        {
            _turn.Write(EntryKind.Turn, [_now]);
        }

        _turn.Write(kind, numbers, content);
    }
}
