using System.Text.Json;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Recording;

/// <summary>Writes what a room's turn runs and sends into the room's recording.</summary>
/// <remarks>
/// <para>Invariant: <c>_turn</c> has the entries of the present turn, behind the time, and <c>_records</c> all turns before. A session is
/// in <c>_sessions</c> as it was written last.</para>
/// <para>Only the room's turn uses it, except <see cref="Progress"/> and <see cref="End"/>.</para>
/// </remarks>
internal sealed class RoomRecorder : RoomTape
{
    private readonly Room _room;
    private readonly RoomTime _clock;
    private readonly Redaction _redaction;
    private readonly RecordingLimits _limits;
    private readonly RecordingWriter _writer;
    private readonly bool _recordsBodies;
    private readonly DateTimeOffset _startedAt;
    private readonly long _start;
    private readonly RecordBuffer _records;
    private readonly EntryWriter _turn = new();
    private readonly Dictionary<Session, SessionState> _sessions = [];
    private int _lastSession;
    private int _emptyBytes; // of a turn without entries
    private bool _isEnding; // until something follows the inputs
    private long _now; // of the present turn
    private long _written; // the time of the last turn that was written
    private long _turns;
    private int _end; // a RecordingEnd, from the request on

    internal RoomRecorder(
        Room room, RecordingHeader header, Redaction redaction, RecordingLimits limits, RecordingWriter writer)
    {
        _room = room;
        _clock = room.Context.RecordedTime!;
        _redaction = redaction;
        _limits = limits;
        _writer = writer;
        _recordsBodies = header.HasBodies;
        _startedAt = header.StartedAt;
        _start = _now = _written = header.Timestamp;
        _records = new RecordBuffer(writer);
        _turn.Write(RecordingFormat.Header);
        _turn.Write(JsonSerializer.SerializeToUtf8Bytes(header, RecordingJson.Default.RecordingHeader));
        _records.Add(_turn.Written);
    }

    /// <summary>Why it has ended or is about to; unknown while it runs. Thread-safe.</summary>
    internal RecordingEnd End => (RecordingEnd)Volatile.Read(ref _end);

    /// <summary>The recorded turns and the time since the start, as far as they are known now. Thread-safe.</summary>
    internal (long Turns, TimeSpan Duration) Progress =>
        (Interlocked.Read(ref _turns), TimeSpan.FromTicks(Interlocked.Read(ref _written) - _start));

    /// <summary>Ends the recording with the present turn.</summary>
    internal void Stop(RecordingEnd reason) => Interlocked.CompareExchange(ref _end, (int)reason, (int)RecordingEnd.Unknown);

    internal override void BeginTurn()
    {
        _now = _clock.RunningTimestamp;
        _clock.Stop(_now, _startedAt + TimeSpan.FromTicks(_now - _start));
        _isEnding = false;
        _turn.Clear();
        _turn.Write(RecordingFormat.Turn);
        _turn.WriteNumber(_now - _written);
        _emptyBytes = _turn.Count;
    }

    internal override void EndInputs() => _isEnding = true;

    internal override void EndTurn()
    {
        _clock.Run();
        if (_writer.Fault is not null)
        {
            Stop(RecordingEnd.WriteFailed);
        }
        else if (_turn.Count > _emptyBytes)
        {
            if (_records.Bytes + _turn.Count + (2 * RecordingFormat.RecordHeaderBytes) + 2 > _limits.MaxBytes)
            {
                Stop(RecordingEnd.MaxBytes);
            }
            else
            {
                _records.Add(_turn.Written);
                Interlocked.Exchange(ref _written, _now);
                Interlocked.Increment(ref _turns);
            }
        }

        if (_room.Turn.HasEnded)
        {
            Stop(RecordingEnd.RoomEnded);
        }
        else if (_now - _start >= _limits.MaxDuration.Ticks)
        {
            Stop(RecordingEnd.MaxDuration);
        }

        _records.HandOverIfDue(_now);
        if (!_records.IsTaken)
        {
            Stop(_writer.Fault is null ? RecordingEnd.DiskTooSlow : RecordingEnd.WriteFailed);
        }

        if (End != RecordingEnd.Unknown)
        {
            Finish();
        }
    }

    internal override void SessionChanged(Session session)
    {
        int number = NumberOf(session);
        (Connection connection, bool isAway) = session.RoomLink;
        _turn.Write(EntryKind.Changed);
        _turn.WriteNumber(number);
        _turn.Write((byte)(session.HasEnded ? SessionChange.Ended : isAway ? SessionChange.Away : SessionChange.Here));
        _turn.WriteNumber(connection.Id);
        if (session.HasEnded)
        {
            _sessions.Remove(session);
        }
    }

    internal override void TimerDue(RoomTimer timer)
    {
        _turn.Write(EntryKind.Timer);
        _turn.WriteNumber(timer.Number);
        _turn.WriteNumber(timer.Delay.Ticks);
        _turn.Write(DelegateName.Of(timer.Job!));
    }

    internal override void Tick(in RoomTick tick)
    {
        _turn.Write(EntryKind.Tick);
        _turn.WriteNumber(tick.Number);
        _turn.WriteNumber(tick.Elapsed.Ticks);
        _turn.WriteNumber(tick.Missed);
        _turn.WriteNumber(tick.Drift.Ticks);
    }

    internal override void Item(in RoomItem item)
    {
        RoomInvoker? invoker = item.Invoker?.Inner;
        if (invoker is null)
        {
            WriteFrame(EntryKind.Frame, (Session)item.First!, item.Header, item.Body!.Array.AsSpan(0, item.Body.Written));
        }
        else if (item.First is IRoomInput input)
        {
            input.Describe(this);
        }
        else if (invoker.NamedJob is { } job)
        {
            WriteJob(job, job.Encode(item.First));
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

    internal override void Join(Session session, bool opens, Func<byte[]> argument)
    {
        byte[]? encoded;
        try
        {
            encoded = argument();
        }
        catch (InvalidOperationException e)
        {
            Code($"a join ({e.Message})");
            return;
        }

        if (_room.JoinPacket is { } packet)
        {
            encoded = _redaction.Apply(packet.Id, encoded);
        }

        if (encoded is null)
        {
            Code($"a join ({_room.JoinPacket!.Name} is not recorded)");
            return;
        }

        int number = NumberOf(session);
        _turn.Write(EntryKind.Join);
        _turn.WriteNumber(number);
        _turn.Write(opens ? (byte)1 : (byte)0);
        _turn.Write(session.HasEnded ? (byte)1 : (byte)0);
        _turn.Write(encoded);
    }

    internal override void Leave(Session session, LeaveReason reason)
    {
        int number = NumberOf(session);
        _turn.Write(EntryKind.Leave);
        _turn.WriteNumber(number);
        _turn.Write((byte)reason);
    }

    internal override void LinkChanged(Session session, bool isAway, bool isRecovered)
    {
        int number = NumberOf(session);
        _turn.Write(EntryKind.LinkChanged);
        _turn.WriteNumber(number);
        _turn.Write(isAway ? (byte)1 : (byte)0);
        _turn.Write(isRecovered ? (byte)1 : (byte)0);
    }

    internal override void Received(Session from, FrameHeader header, byte[] body, bool isPacket)
    {
        if (!isPacket)
        {
            WriteFrame(EntryKind.Frame, from, header, body);
        }
        else if (_redaction.Apply(header.PacketId, body) is { } recorded)
        {
            WriteFrame(EntryKind.Packet, from, header, recorded);
        }
        else
        {
            Code($"the handler of packet {header.PacketId} (its content is not recorded)");
        }
    }

    internal override void Command(RoomCommand command)
    {
        _turn.Write(EntryKind.Command);
        _turn.Write(command.Number);
    }

    internal override void Code(string name)
    {
        _turn.Write(EntryKind.Code);
        _turn.Write(name);
    }

    internal override void Sent(
        FrameHeader header, ReadOnlySpan<byte> body, ReadOnlySpan<Session> to, bool isBroadcast, Session? except)
    {
        BeginOutput();
        int left = except is null ? 0 : NumberOf(except);
        foreach (Session session in to)
        {
            NumberOf(session);
        }

        if (_redaction.Touches(header.PacketId))
        {
            body = _redaction.Apply(header.PacketId, body.ToArray());
        }

        _turn.Write(EntryKind.Sent);
        _turn.Write(header);
        if (isBroadcast)
        {
            _turn.Write((byte)1);
            _turn.WriteNumber(left);
        }
        else
        {
            _turn.Write((byte)0);
            _turn.WriteNumber(to.Length);
            foreach (Session session in to)
            {
                _turn.WriteNumber(_sessions[session].Number);
            }
        }

        _turn.WriteNumber(body.Length);
        _turn.Write(RecordingFormat.Checksum(body));
        if (_recordsBodies)
        {
            _turn.Write(body);
        }
    }

    internal override void Failed(Exception exception)
    {
        BeginOutput();
        _turn.Write(EntryKind.Failed);
        _turn.Write(exception.GetType().FullName!);
    }

    internal override bool Accepted(bool isAccepted)
    {
        if (!isAccepted)
        {
            _turn.Write(EntryKind.NotAccepted);
        }

        return isAccepted;
    }

    internal override bool Recovered(bool isRecovered)
    {
        _turn.Write(EntryKind.Recovered);
        _turn.Write(isRecovered ? (byte)1 : (byte)0);
        return isRecovered;
    }

    private void BeginOutput()
    {
        if (_isEnding)
        {
            _isEnding = false;
            _turn.Write(EntryKind.EndOfTurn);
        }
    }

    private void WriteJob(RoomJob job, byte[] argument)
    {
        if (_redaction.Apply(job.ArgumentType, argument) is not { } recorded)
        {
            Code($"the job {job.Name} (its argument is not recorded)");
            return;
        }

        _turn.Write(EntryKind.Job);
        _turn.Write(job.Name);
        _turn.Write(recorded);
    }

    private void WriteFrame(EntryKind kind, Session session, FrameHeader header, ReadOnlySpan<byte> body)
    {
        int from = NumberOf(session);
        _turn.Write(kind);
        _turn.WriteNumber(from);
        _turn.Write(header);
        _turn.Write(body);
    }

    /// <summary>Returns the number of a session, and writes the session if the recording does not know it as it is now.</summary>
    private int NumberOf(Session session)
    {
        SessionUser? user = session.User;
        if (_sessions.TryGetValue(session, out SessionState known) && known.User == user)
        {
            return known.Number;
        }

        int number = known.Number > 0 ? known.Number : ++_lastSession;
        _sessions[session] = new SessionState(number, user);
        _turn.Write(EntryKind.Session);
        _turn.WriteNumber(number);
        _turn.WriteNumber(session.Id);
        _turn.WriteNumber(session.RoomLink.Connection.Id);
        _turn.Write(user is null ? (byte)0 : (byte)1);
        if (user is not null)
        {
            _turn.WriteNumber(user.Id);
            _turn.Write(user.Name);
        }

        return number;
    }

    private void Finish()
    {
        _room.Tape = null;
        _turn.Clear();
        _turn.Write(RecordingFormat.End);
        _turn.Write((byte)End);
        _records.Add(_turn.Written);
        _records.Complete();
    }

    private readonly record struct SessionState(int Number, SessionUser? User);
}
