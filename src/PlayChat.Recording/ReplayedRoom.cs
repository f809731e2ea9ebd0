using System.Globalization;
using System.Reflection;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;

namespace PlayChat.Recording;

/// <summary>A room that repeats its recording, on the thread that calls <see cref="Run(CancellationToken)"/>.</summary>
internal sealed class ReplayedRoom<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)] TRoom>
    where TRoom : Room
{
    private const BindingFlags Statics =
        BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.FlattenHierarchy;

    private readonly RecordingFile _file;
    private readonly ReplayClock _clock;
    private readonly RoomReplayOptions<TRoom> _options;
    private readonly RoomServices _services;
    private readonly RoomTime _time;
    private readonly ReplaySessions _sessions;
    private readonly ReplayTape _tape;
    private readonly Dictionary<string, RoomJob> _jobs = new(StringComparer.Ordinal);
    private readonly PostedJobs _posted;
    private EntryReader _turn = new(default);
    private long _timestamp;
    private long _turns;
    private long _ticks;

    internal ReplayedRoom(RecordingFile file, ReplayClock clock, RunningServer server, RoomReplayOptions<TRoom> options)
    {
        (_file, _clock, _options) = (file, clock, options);
        RecordingHeader header = file.Header;
        _timestamp = header.Timestamp;
        Room = server.Rooms.Repeat(
            services =>
            {
                var context = new RoomContext(header.RoomId, SettingsOf(header), services, server.Rooms)
                {
                    Role = new ReplayRole(header.IsClustered),
                    Seed = header.Snapshot is null ? header.Seed : null,
                };
                context.RecordedTime!.Stop(header.Timestamp, header.StartedAt);
                return context;
            },
            options.Make);
        _services = Room.Context.Shared;
        _time = Room.Context.RecordedTime!;
        _posted = new PostedJobs(Room.Turn.Queue);
        _sessions = new ReplaySessions(server.ConnectionServices);
        _tape = new ReplayTape(header, _services.Packets, _sessions);
        foreach (RoomJob job in FindJobs())
        {
            _jobs[job.Name] = job;
        }
    }

    internal TRoom Room { get; }

    /// <summary>Repeats all turns.</summary>
    internal RoomReplayResult<TRoom> Run(CancellationToken cancellationToken)
    {
        if (_file.Header.Snapshot is { } snapshot)
        {
            Continue(snapshot);
        }

        Room.Tape = _tape;
        while (_file.ReadTurn() is { } turn)
        {
            cancellationToken.ThrowIfCancellationRequested();
            _turn = turn;
            _timestamp += turn.ReadNumber();
            long elapsed = _timestamp - _file.Header.Timestamp;
            _clock.Set(elapsed);
            _time.Stop(_timestamp, _file.Header.StartedAt.AddTicks(elapsed));
            _tape.Begin(turn, TimeSpan.FromTicks(elapsed));
            Room.Turn.Repeat(RunInputs);
            _tape.PassOutputs();
            _posted.Collect();
            _turns++;
        }

        return new RoomReplayResult<TRoom>
        {
            Room = Room,
            Turns = _turns,
            Ticks = _ticks,
            Duration = TimeSpan.FromTicks(_timestamp - _file.Header.Timestamp),
            Elapsed = default,
            End = _file.End,
            OutputChecksum = _tape.OutputChecksum,
            Divergence = _tape.Divergence is { } divergence ? divergence with { Got = divergence.Got + Hint() } : null,
            Faults = _tape.Faults,
        };
    }

    private static RoomSettings SettingsOf(RecordingHeader header) => new()
    {
        Name = header.Name,
        Capacity = header.Capacity,
        SpectatorCapacity = header.SpectatorCapacity,
        IsPrivate = header.IsPrivate,
        IsLocked = header.IsLocked,
        RemoveWhenEmpty = header.RemoveWhenEmpty,
        OwnerId = header.OwnerId,
        Properties = header.Properties,
    };

    private static IEnumerable<RoomJob> FindJobs()
    {
        IEnumerable<object?> fields = typeof(TRoom).GetFields(Statics)
            .Where(static field => typeof(RoomJob).IsAssignableFrom(field.FieldType)).Select(static field => field.GetValue(null));
        IEnumerable<object?> properties = typeof(TRoom).GetProperties(Statics)
            .Where(static property => typeof(RoomJob).IsAssignableFrom(property.PropertyType))
            .Select(static property => property.GetValue(null));
        return fields.Concat(properties).OfType<RoomJob>();
    }

    /// <summary>Makes the room what it was when the recording began.</summary>
    private void Continue(byte[] snapshot)
    {
        RecordingHeader header = _file.Header;
        Room.Turn.Repeat(() =>
        {
            try
            {
                Room.Restore(snapshot, isOwned: true);
                foreach (RecordingHeader.MemberRecord member in header.Members)
                {
                    Session session = _sessions.Begin(member.Session);
                    if (Room.Restore(session, member.Argument) && member.IsAway)
                    {
                        ReplaySessions.SetAway(session);
                        Room.Turn.RepeatChanged(session);
                    }
                }
            }
            catch (Exception e)
            {
                // The room's code: without its state there is nothing to compare.
                throw new RoomReplayException($"The room does not continue from its recorded state: {e.Message}", e);
            }

            NumberTimers(header);
            return 0;
        });
        _posted.Collect();
        _posted.Clear();
        ((RoomRandom)Room.Context.Random).Begin(header.Seed);
        _tape.LastTick = 0;
    }

    /// <summary>Gives the timers that the room has started again the numbers of those that it had. Of several with the same name the order
    /// decides.</summary>
    private void NumberTimers(RecordingHeader header)
    {
        List<RecordingHeader.TimerRecord> recorded = [.. header.Timers];
        foreach (RoomTimer timer in Room.Turn.Timers.Numbered.ToArray())
        {
            string name = DelegateName.Of(timer.Job!);
            int index = recorded.FindIndex(known => known.Name == name);
            timer.Number = index < 0 ? 0 : recorded[index].Number;
            if (index >= 0)
            {
                recorded.RemoveAt(index);
            }
        }

        Room.Turn.Timers.LastNumber = header.LastTimer;
    }

    private int RunInputs()
    {
        int done = 0;
        while (true)
        {
            _tape.PassOutputs();
            EntryKind kind = _turn.Next == EntryKind.None ? EntryKind.None : _turn.ReadKind();
            if (kind is EntryKind.None or EntryKind.EndOfTurn)
            {
                break;
            }

            Run(kind);
            done++;
        }

        if (_options.Check is { } check)
        {
            RunCheck(check);
        }

        _tape.BeginInput("the end of the turn");
        return done;
    }

    private void Run(EntryKind kind)
    {
        switch (kind)
        {
            case EntryKind.Changed:
                RunChanged();
                break;
            case EntryKind.Timer:
                RunTimer();
                break;
            case EntryKind.Tick:
                RunTick();
                break;
            case EntryKind.Frame:
                RunFrame();
                break;
            case EntryKind.Packet:
                RunPacket();
                break;
            case EntryKind.Join:
                RunJoin();
                break;
            case EntryKind.Leave:
                int leaving = (int)_turn.ReadNumber();
                _tape.BeginInput($"the leave of {_sessions.Describe(leaving)}");
                Room.Leave(_sessions.Find(leaving), (LeaveReason)_turn.ReadByte());
                break;
            case EntryKind.LinkChanged:
                RunLinkChanged();
                break;
            case EntryKind.Command:
                _tape.BeginInput("a command of the server");
                RoomCommand.Find(_turn.ReadByte())?.Run(Room);
                break;
            case EntryKind.Code:
                RunCode(_turn.ReadText());
                break;
            case EntryKind.Job:
                RunJob(_turn.ReadText(), _turn.ReadBytes());
                break;
            case EntryKind.Recovered:
                _turn.ReadByte(); // the present build has not called OnReturn
                break;
            default:
                throw new InvalidDataException(
                    $"The recording has an entry {(byte)kind}, which this version does not know. Replay it with a newer version.");
        }
    }

    private void RunChanged()
    {
        int number = (int)_turn.ReadNumber();
        var change = (SessionChange)_turn.ReadByte();
        string what = change switch
        {
            SessionChange.Ended => "end",
            SessionChange.Away => "loss",
            _ => "return",
        };
        _tape.BeginInput($"the {what} of {_sessions.Describe(number)}");
        Room.Turn.RepeatChanged(_sessions.Change(number, change, _turn.ReadNumber()));
    }

    private void RunLinkChanged()
    {
        int number = (int)_turn.ReadNumber();
        (bool isAway, bool isRecovered) = (_turn.ReadBoolean(), _turn.ReadBoolean());
        _tape.BeginInput($"the {(isAway ? "loss" : "return")} of {_sessions.Describe(number)}");
        if (isAway)
        {
            Room.CallAway(_sessions.Find(number));
        }
        else
        {
            Room.CallReturned(_sessions.Find(number), isRecovered);
        }
    }

    private void RunTimer()
    {
        (long number, TimeSpan delay, string name) = (_turn.ReadNumber(), TimeSpan.FromTicks(_turn.ReadNumber()), _turn.ReadText());
        _tape.BeginInput($"the timer of {name}");
        if (Room.Turn.Timers.Find(number) is not { } timer)
        {
            _tape.Diverge($"a timer of {delay} that runs {name}", "no such timer runs");
            return;
        }

        string present = DelegateName.Of(timer.Job!);
        if (present != name || timer.Delay != delay)
        {
            _tape.Diverge($"a timer of {delay} that runs {name}", $"one of {timer.Delay} that runs {present}");
        }

        Room.Turn.RepeatTimer(timer);
    }

    private void RunTick()
    {
        var tick = new RoomTick(
            _turn.ReadNumber(), TimeSpan.FromTicks(_turn.ReadNumber()), _turn.ReadNumber(), TimeSpan.FromTicks(_turn.ReadNumber()));
        _ticks++;
        _tape.BeginInput("the tick");
        _tape.LastTick = tick.Number;
        TimeSpan period = Room.Turn.Timers.TickPeriod;
        if (period * (tick.Missed + 1) != tick.Elapsed)
        {
            _tape.Diverge(
                $"a tick of {tick.Elapsed / (tick.Missed + 1)}", period == TimeSpan.Zero ? "the room does not tick" : $"one of {period}");
        }

        Room.Turn.RepeatTick(tick);
    }

    private void RunFrame()
    {
        int from = (int)_turn.ReadNumber();
        FrameHeader header = _turn.ReadHeader();
        _tape.BeginInput($"OnFrame for {_sessions.Describe(from)}");
        FrameData data = FrameData.OfBody(new ReadOnlySequence<byte>(_turn.ReadBytes()), header);
        Room.Turn.RepeatItem(RoomItem.OfFrame(_sessions.Find(from), new Frame(ref data), _services.Pool, 0));
    }

    private void RunPacket()
    {
        int from = (int)_turn.ReadNumber();
        FrameHeader header = _turn.ReadHeader();
        string packet = _services.Packets.Find(header.PacketId)?.Name
            ?? string.Create(CultureInfo.InvariantCulture, $"packet {header.PacketId}");
        _tape.BeginInput($"the handler of {packet} from {_sessions.Describe(from)}");
        FrameData data = FrameData.OfBody(new ReadOnlySequence<byte>(_turn.ReadBytes()), header);
        RoomInvoker? invoker = _services.FindInvoker?.Invoke(header.PacketId);
        if (invoker?.TryDecode(Room, new Frame(ref data)) is not { } message)
        {
            _tape.Diverge("a packet that the room handles", invoker is null ? "the server maps it to no room" : "it is not readable");
            return;
        }

        Connection connection = _sessions.Find(from).Connection;
        Room.Turn.RepeatItem(new RoomItem(invoker, null, connection, message, null, header, 0));
    }

    private void RunJoin()
    {
        int number = (int)_turn.ReadNumber();
        (bool opens, bool hasEnded, byte[] argument) = (_turn.ReadBoolean(), _turn.ReadBoolean(), _turn.ReadBytes().ToArray());
        Session session = _sessions.Find(number);
        _tape.BeginInput($"the join of {_sessions.Describe(number)}");
        if (hasEnded)
        {
            session.End();
        }

        try
        {
            Room.Join(session, opens, argument);
        }
        catch (Exception e)
        {
            _tape.JoinFailed(e);
        }
    }

    private void RunJob(string name, ReadOnlyMemory<byte> argument)
    {
        _tape.BeginInput($"the job {name}");
        if (!_jobs.TryGetValue(name, out RoomJob? job))
        {
            throw new RoomReplayException(
                $"{Where()}, the recorded room ran the job '{name}', but no static field or property of {typeof(TRoom).Name} has a RoomJob "
                    + "with that name.");
        }

        Action run = () => job.Run(Room, argument.Span);
        Room.Turn.RepeatItem(
            new RoomItem(RoomInvoker.Of<Room, Action>.Instance, static (Room _, Action job) => job(), run, null, null, default, 0));
    }

    /// <summary>Repeats a job that the room itself has posted; there is no other way to repeat it.</summary>
    private void RunCode(string name)
    {
        _tape.BeginInput(name);
        _posted.Collect();
        if (_posted.TryTake(name, out RoomItem item))
        {
            Room.Turn.RepeatItem(in item);
        }
        else if (!_options.SkipsUnnamedJobs)
        {
            throw new RoomReplayException(
                $"{Where()}, the recorded room ran {name}, which a recording cannot repeat. Post a RoomJob with a name and an argument "
                    + "that can be written; if the job only reads the room, set SkipsUnnamedJobs.");
        }
    }

    private void RunCheck(Action<TRoom> check)
    {
        try
        {
            check(Room);
        }
        catch (Exception e)
        {
            throw new RoomReplayException($"{Where()}, after {_tape.Input}, the check failed: {e.Message}", e);
        }
    }

    private string Where() => string.Create(CultureInfo.InvariantCulture, $"At {_tape.At.TotalSeconds:N3} s (tick {_tape.LastTick:N0})");

    /// <summary>Says what else differs, because it may be the reason.</summary>
    private string Hint() => _file.Header.Packets == RecordingHeader.FingerprintOf(_services.Packets)
        ? ""
        : $" (the server's packets have changed since the recorded build, {_file.Header.Build})";
}
