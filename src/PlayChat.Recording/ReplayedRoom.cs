using System.Reflection;
using PlayChat.Core.Diagnostics;

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
    private readonly ReplaySessions _sessions;
    private readonly ReplayTape _tape;
    private readonly RoomJob[] _jobs; // of static fields, and so of properties that keep theirs
    private readonly List<RoomItem> _posted = []; // what the room has posted to itself; repeated where the recording has it
    private long _ticks;

    internal ReplayedRoom(RecordingFile file, ReplayClock clock, RunningServer server, RoomReplayOptions<TRoom> options)
    {
        (_file, _clock, _options) = (file, clock, options);
        RecordingHeader header = file.Header;
        Room = server.Rooms.Repeat(
            services =>
            {
                var context = new RoomContext(header.RoomId, header.Settings, services, server.Rooms)
                {
                    Role = new ReplayRole(header.IsClustered),
                    Seed = header.Resumed is null ? header.Seed : null,
                };
                context.RecordedTime!.Stop(header.Timestamp, header.StartedAt);
                return context;
            },
            options.Make);
        _services = Room.Context.Shared;
        _sessions = new ReplaySessions(server.ConnectionServices);
        _tape = new ReplayTape(file, _services.Packets, _sessions);
        IEnumerable<FieldInfo> fields =
            typeof(TRoom).GetFields(Statics).Where(static field => typeof(RoomJob).IsAssignableFrom(field.FieldType));
        _jobs = [.. fields.Select(static field => field.GetValue(null)).OfType<RoomJob>()];
    }

    internal TRoom Room { get; }

    /// <summary>Repeats all turns.</summary>
    internal RoomReplayResult<TRoom> Run(CancellationToken cancellationToken)
    {
        if (_file.Header.Resumed is { } state)
        {
            Continue(state);
        }

        Room.Tape = _tape;
        var random = (RoomRandom)Room.Context.Random;
        long turns = 0;
        for (; _file.ReadTurn() is { } timestamp; turns++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            long elapsed = timestamp - _file.Header.Timestamp;
            _clock.Set(elapsed);
            Room.Context.RecordedTime!.Stop(timestamp, _file.Header.StartedAt.AddTicks(elapsed));
            _tape.At = TimeSpan.FromTicks(elapsed);
            _tape.Input = "OnCreate";
            long draws = random.Draws;
            Room.Turn.Repeat(RunInputs);
            _tape.PassOutputs();
            _tape.Draw(random.Draws - draws);
            CollectPosted();
        }

        return new RoomReplayResult<TRoom>
        {
            Room = Room,
            Turns = turns,
            Ticks = _ticks,
            Duration = _tape.At,
            Elapsed = default,
            End = _file.End,
            Divergence = _tape.Divergence is { } divergence ? divergence with { Got = divergence.Got + Hint() } : null,
            Faults = _tape.Faults,
        };
    }

    /// <summary>Makes the room what it was when the recording began.</summary>
    private void Continue(RecordingHeader.State state)
    {
        Room.Turn.Repeat(() =>
        {
            try
            {
                Room.Restore(state.Snapshot, isOwned: true);
                foreach (RecordingHeader.Member member in state.Members)
                {
                    Session session = _sessions.Begin(member);
                    if (Room.Restore(session, member.Argument) && member.IsAway)
                    {
                        ReplaySessions.SetAway(session);
                        Room.Turn.RunChanged(session);
                    }
                }
            }
            catch (Exception e)
            {
                // The room's code: without its state there is nothing to compare.
                throw new RoomReplayException($"The room does not continue from its recorded state: {e.Message}", e);
            }

            // The timers that the room has started again get the numbers of those that it had; of several with one name the order decides.
            List<RecordingHeader.Timer> recorded = [.. state.Timers];
            foreach (RoomTimer timer in Room.Turn.Timers.Numbered.ToArray())
            {
                RecordingHeader.Timer? same = recorded.Find(known => known.Name == DelegateName.Of(timer.Job!));
                timer.Number = same?.Number ?? 0;
                recorded.Remove(same!);
            }

            Room.Turn.Timers.LastNumber = state.LastTimer;
            return 0;
        });
        CollectPosted();
        _posted.Clear();
        ((RoomRandom)Room.Context.Random).Begin(_file.Header.Seed);
        _tape.LastTick = 0;
    }

    private int RunInputs()
    {
        int done = 0;
        for (; _tape.ReadInput() is { } input; done++)
        {
            Run(input);
        }

        try
        {
            _options.Check?.Invoke(Room);
        }
        catch (Exception e)
        {
            throw new RoomReplayException($"{Where}, after {_tape.Input}, the check failed: {e.Message}", e);
        }

        _tape.Input = "the end of the turn";
        return done;
    }

    private void Run(Entry entry)
    {
        long[] numbers = entry.Numbers;
        _tape.Input = _tape.Words.Describe(entry);
        switch (entry.Kind)
        {
            case EntryKind.Changed:
                Room.Turn.RunChanged(_sessions.Change(numbers[0], numbers[1] != 0, numbers[2] != 0, numbers[3]));
                break;
            case EntryKind.LinkChanged when numbers[1] != 0:
                Room.CallAway(_sessions.Find(numbers[0]));
                break;
            case EntryKind.LinkChanged:
                Room.CallReturned(_sessions.Find(numbers[0]), isRecovered: numbers[2] != 0);
                break;
            case EntryKind.Timer:
                RunTimer(numbers[0], TimeSpan.FromTicks(numbers[1]), _tape.Words.TextOf(numbers[2]));
                break;
            case EntryKind.Tick:
                RunTick(new RoomTick(numbers[0], TimeSpan.FromTicks(numbers[1]), numbers[2], TimeSpan.FromTicks(numbers[3])));
                break;
            case EntryKind.Frame:
                FrameData data = DataOf(entry);
                Room.Turn.Run(RoomItem.OfFrame(_sessions.Find(numbers[0]), new Frame(ref data), _services.Pool, 0));
                break;
            case EntryKind.Packet:
                RunPacket(entry);
                break;
            case EntryKind.Join:
                RunJoin(entry);
                break;
            case EntryKind.Leave:
                Room.Leave(_sessions.Find(numbers[0]), (LeaveReason)numbers[1]);
                break;
            case EntryKind.Command:
                if (RoomCommand.Find(numbers[0]) is { } command)
                {
                    RoomCommand.Job(Room, command);
                }

                break;
            case EntryKind.Code:
                RunCode(_tape.Words.TextOf(numbers[0]));
                break;
            case EntryKind.Job:
                RunJob(_tape.Words.TextOf(numbers[0]), entry.Content);
                break;
            default:
                break; // EntryKind.Recovered: the present build has not called OnReturn
        }
    }

    private void RunTimer(long number, TimeSpan delay, string name)
    {
        string expected = $"a timer of {delay} that runs {name}";
        if (Room.Turn.Timers.Find(number) is not { } timer)
        {
            _tape.Diverge(expected, "no such timer runs");
            return;
        }

        string present = DelegateName.Of(timer.Job!);
        if (present != name || timer.Delay != delay)
        {
            _tape.Diverge(expected, $"one of {timer.Delay} that runs {present}");
        }

        Room.Turn.RepeatTimer(timer);
    }

    private void RunTick(RoomTick tick)
    {
        _ticks++;
        _tape.LastTick = tick.Number;
        TimeSpan period = Room.Turn.Timers.TickPeriod;
        if (period * (tick.Missed + 1) != tick.Elapsed)
        {
            _tape.Diverge(
                $"a tick of {tick.Elapsed / (tick.Missed + 1)}", period == TimeSpan.Zero ? "the room does not tick" : $"one of {period}");
        }

        Room.Turn.RunTick(tick);
    }

    private void RunPacket(Entry entry)
    {
        FrameData data = DataOf(entry);
        RoomInvoker? invoker = _services.FindInvoker?.Invoke(data.Header.PacketId);
        if (invoker?.TryDecode(Room, new Frame(ref data)) is not { } message)
        {
            _tape.Diverge("a packet that the room handles", invoker is null ? "the server maps it to no room" : "it is not readable");
            return;
        }

        Room.Turn.Run(new RoomItem(invoker, null, _sessions.Find(entry.Numbers[0]).Connection, message, null, data.Header, 0));
    }

    private void RunJoin(Entry entry)
    {
        Session session = _sessions.Find(entry.Numbers[0]);
        if (entry.Numbers[2] != 0)
        {
            session.End();
        }

        try
        {
            Room.Join(session, opens: entry.Numbers[1] != 0, entry.Content);
        }
        catch (Exception e)
        {
            _tape.JoinFailed(e);
        }
    }

    private void RunJob(string name, byte[] argument)
    {
        if (Array.Find(_jobs, known => known.Name == name) is not { } job)
        {
            throw new RoomReplayException(
                $"{Where}, the recorded room ran the job '{name}', but no static field of {typeof(TRoom).Name} has a RoomJob "
                    + "with that name.");
        }

        Action run = () => job.Run(Room, argument);
        Room.Turn.Run(
            new RoomItem(RoomInvoker.Of<Room, Action>.Instance, static (Room _, Action job) => job(), run, null, null, default, 0));
    }

    /// <summary>Repeats a job that the room itself has posted; there is no other way to repeat it.</summary>
    private void RunCode(string name)
    {
        CollectPosted();
        int index = _posted.FindIndex(job => job.Invoker!.NameOf(in job) == name);
        if (index >= 0)
        {
            RoomItem item = _posted[index];
            _posted.RemoveAt(index);
            Room.Turn.Run(in item);
        }
        else if (!_options.SkipsUnnamedJobs)
        {
            throw new RoomReplayException(
                $"{Where}, the recorded room ran {name}, which a recording cannot repeat. Post a RoomJob with a name and an argument "
                    + "that can be written; if the job only reads the room, set SkipsUnnamedJobs.");
        }
    }

    /// <summary>Empties the queue, so that it never fills. Joins, messages, named jobs and changes of sessions come from the
    /// recording.</summary>
    private void CollectPosted()
    {
        RoomQueue queue = Room.Turn.Queue;
        while (queue.TryTakeChanged(out _))
        {
            // The recording has it.
        }

        while (queue.TryTake(out RoomItem item))
        {
            queue.OnRun(1, item.Bytes);
            item.Body?.Release();
            if (item.Invoker is { NamedJob: null } && item.First is not IRoomInput)
            {
                _posted.Add(item);
            }
        }
    }

    private static FrameData DataOf(Entry entry) => FrameData.OfBody(
        new ReadOnlySequence<byte>(entry.Content),
        new FrameHeader((ushort)entry.Numbers[1], (ushort)entry.Numbers[2], (ushort)entry.Numbers[3]));

    private string Where => FrameText.Where(_tape.At, _tape.LastTick);

    /// <summary>Says what else differs, because it may be the reason.</summary>
    private string Hint() => _file.Header.Packets == RecordingHeader.FingerprintOf(_services.Packets)
        ? ""
        : $" (the server's packets have changed since the recorded build, {_file.Header.Build})";
}
