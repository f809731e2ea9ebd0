namespace PlayChat.Core.Rooms;

/// <summary>
/// What a room's turn does, and in which order: creation, changed sessions, timers, items, and finally the end of an empty or removed room.
/// </summary>
/// <remarks>
/// <para>Invariant: <see cref="IRoomHooks.OnCreate"/> comes before everything else, and <see cref="IRoomHooks.OnDispose"/> exactly once,
/// when the queue is closed and empty and there are no members. Nothing of the application runs afterwards. <c>_postedAt</c> has the
/// times of the items that have run since the last flush.</para>
/// <para>An exception of the application is logged and counted and does not stop the turn. Only the turn uses this class, except
/// <see cref="Ended"/>, <see cref="IsTimerDue"/>, <see cref="HasWork"/> and <see cref="IWatchedTurn"/>, which any thread may call.</para>
/// </remarks>
internal sealed class RoomTurn : IRoomTurn, IWatchedTurn
{
    private readonly IRoomHooks _room;
    private readonly RoomOutbox _outbox;
    private readonly RoomMembership _members;
    private readonly RoomContext _context;
    private readonly RoomServices _services;
    private readonly SlowWork _slowWork;
    private readonly List<long> _postedAt = [];
    private RoomTape? _tape; // while the room is recorded
    private RoomTimers? _timers; // from the first timer on
    private TaskCompletionSource? _ended;
    private DeliveryTraces? _traces; // from the first traced item on
    private RoomDrain _drain;
    private bool _isCreated;
    private bool _mayBeEmpty; // the membership changed, or might have, since the last check

    internal RoomTurn(IRoomHooks room, RoomOutbox outbox, RoomMembership members, RoomContext context)
    {
        _room = room;
        _outbox = outbox;
        _members = members;
        _context = context;
        _services = context.Shared;
        _slowWork = _services.SlowWork;
        Thread = new TurnThread(context.Id, context.Name);
        Scheduler = new RoomScheduler(this, _services.FlushLaneOf(context.Id), _services);
        Queue = new RoomQueue(Scheduler, _services);
    }

    internal TurnThread Thread { get; }

    internal RoomScheduler Scheduler { get; }

    internal RoomQueue Queue { get; }

    /// <summary>The timers of the room. Timers that are started after the end of the room never come due.</summary>
    internal RoomTimers Timers => _timers ??= new RoomTimers(_context.Id, Thread, Scheduler, _services, isClosed: HasEnded);

    /// <summary>Completes when the room has ended and its last turn has been flushed. Thread-safe.</summary>
    internal Task Ended => EndedSource.Task;

    public bool IsSmall => _outbox.IsSmall;

    public bool IsCutShort { get; private set; }

    public bool IsTimerDue => _timers is { IsDue: true };

    public bool HasWork => Queue.HasItems || Queue.HasChangedSessions;

    private TaskCompletionSource EndedSource => LazyInitializer.EnsureInitialized(
        ref _ended, static () => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Whether this is the last turn: nothing is queued, and nothing can be queued any more.</summary>
    private bool IsLast => Queue.IsClosed && !HasEnded && !Queue.HasItems;

    public bool MustHold() => _outbox.MustHold();

    ServerMetrics IWatchedTurn.Metrics => _services.Metrics;

    public bool Run()
    {
        BatchContext thread = BatchContext.Current;
        thread.BeginTurn(this);
        Thread.Begin();
        try
        {
            return RunWork();
        }
        finally
        {
            Thread.End();
            thread.EndTurn();
        }
    }

    void IWatchedTurn.OnBlocked(string thread, long milliseconds) =>
        RoomLog.TurnBlocks(_services.Logger, _context.Id, _context.Name, thread, milliseconds);

    public bool FlushSlice() => _outbox.FlushSlice();

    public void OnFlushed()
    {
        RecordLatency();
        _traces?.OnFlushed(_members.Count);

        // A changed session does not pass through the queue, so a turn may have begun before it was posted. The waiter completes only when
        // a turn has left none. This ends, because the number of sessions is finite.
        if (_drain.IsAwaited && !Queue.HasChangedSessions)
        {
            _drain.OnFlushed(IsTimerDue);
            if (HasEnded && !_drain.IsAwaited)
            {
                _room.OnEnded();
            }
        }
    }

    /// <summary>Notes that an item has sent something for a trace, so that the flush is part of the trace.</summary>
    internal void NoteTraced(ActivityContext span) => (_traces ??= new DeliveryTraces(_context.Id)).Add(span);

    internal void CompleteWhenFlushed(TaskCompletionSource waiter) => _drain.Add(waiter);

    /// <summary>
    /// Checks at the end of the turn whether the room is empty. If it is, the turn calls <see cref="IRoomHooks.OnEmpty"/>, and removes
    /// the room if its settings say so.
    /// </summary>
    internal void RemoveIfEmpty() => _mayBeEmpty = true;

    /// <summary>Whether the room has a <see cref="RoomPart"/>, which ends each turn.</summary>
    internal bool HasParts { get; set; }

    /// <summary>Is told what the turn runs; <see langword="null"/> for most rooms. Set it before the first turn, or in a turn.</summary>
    internal RoomTape? Tape
    {
        get => _tape;
        set
        {
            _tape = value;
            _outbox.Tape = value;
        }
    }

    internal bool IsTicking => _timers is { IsTicking: true };

    internal void StopTick() => _timers?.StopTick();

    /// <summary>Calls a hook; logs and counts what it throws.</summary>
    internal void RunHook<TArgument>(Action<TArgument> hook, TArgument argument, string name)
    {
        long began = _slowWork.Now;
        Guard(hook, argument, name);
        if (_slowWork.Lap(ref began) is > 0 and var milliseconds)
        {
            OnSlow(name, milliseconds);
        }
    }

    /// <summary>The same for a hook within a step whose time is measured as a whole.</summary>
    internal void Guard<TArgument>(Action<TArgument> hook, TArgument argument, string name)
    {
        try
        {
            hook(argument);
        }
        catch (Exception e)
        {
            // The application's code; its fault must not stop the room.
            _services.Metrics.Add(Counter.HandlerFaults);
            _tape?.Failed(e);
            RoomLog.HookFault(_services.Logger, e, name, _context.Id, _context.Name);
        }
    }

    /// <summary>
    /// Runs a turn of a recording on the calling thread. Its work comes from the caller, in place of the queue and the clock.
    /// </summary>
    /// <param name="work">Calls the methods that repeat something, and returns how many items and sessions these were.</param>
    internal void Repeat(Func<int> work)
    {
        Thread.Begin();
        try
        {
            Begin();
            End(work());
            _outbox.BeginFlush();
            while (!FlushSlice())
            {
                // the next slice
            }
        }
        finally
        {
            Thread.End();
        }

        if (HasEnded)
        {
            _room.OnEnded();
        }
    }

    /// <summary>Whether the room has ended. Only in the turn.</summary>
    internal bool HasEnded { get; private set; }

    /// <summary>Repeats a timer of a recording, as <see cref="RunChanged"/>, <see cref="RunTick"/> and <see cref="Run(in RoomItem)"/>
    /// repeat the rest.</summary>
    internal void RepeatTimer(RoomTimer timer) => RunTimer(Timers, timer);

    /// <returns>Whether there is something to flush.</returns>
    private bool RunWork()
    {
        Begin();
        // The caps keep one loud room from holding a thread while others wait, and one turn from filling its members' queues.
        int done = RunChangedSessions();
        if (_timers is { IsDue: true } timers)
        {
            RunTimers(timers);
        }

        done += RunItems(done);
        End(done);
        _timers?.Arm();
        // Without these, the turn has changed only the room's own state, for example in a timer that sends nothing.
        bool hasToFlush = _postedAt.Count > 0 || _outbox.HasFrames || _drain.IsAwaited;
        if (hasToFlush)
        {
            _outbox.BeginFlush();
        }

        return hasToFlush;
    }

    private void Begin()
    {
        _tape?.BeginTurn();
        if (!_isCreated)
        {
            _isCreated = true;
            RunHook(static room => room.OnCreate(), _room, nameof(IRoomHooks.OnCreate));
        }

        _outbox.BeginTurn();
    }

    /// <param name="done">The number of items that the turn has run.</param>
    private void End(int done)
    {
        _tape?.EndInputs();
        if (_mayBeEmpty || Queue.IsClosed)
        {
            EndIfEmptyOrRemoved(done);
        }

        if (HasParts)
        {
            RunHook(static room => room.OnTurnEnd(), _room, nameof(IRoomHooks.OnTurnEnd));
        }

        _tape?.EndTurn();
    }

    /// <summary>Returns whether a turn that has run so many items has to end.</summary>
    private bool IsSpent(int items) => items >= _services.Options.MaxItemsPerTurn || _outbox.TurnBytes >= _services.MaxTurnBytes;

    private int RunChangedSessions()
    {
        int changed = 0;
        while (!IsSpent(changed) && Queue.TryTakeChanged(out Session? session))
        {
            changed++;
            RunChanged(session);
        }

        return changed;
    }

    internal void RunChanged(Session session)
    {
        try
        {
            _room.OnSessionChanged(session);
        }
        catch (Exception e)
        {
            OnJobFault(e);
        }

        if (session.HasEnded)
        {
            _members.LetGo(session);
        }
    }

    private void RunTimers(RoomTimers timers)
    {
        timers.BeginRun();
        for (int ran = 0; timers.FindDue() is { } timer; ran++)
        {
            if (IsSpent(ran))
            {
                timers.RunLater();
                return;
            }

            if (timer.Job is not null)
            {
                RunTimer(timers, timer);
            }
            else
            {
                RunTick(timers.AdvanceTick(timer));
            }
        }
    }

    private void RunTimer(RoomTimers timers, RoomTimer timer)
    {
        if (timer.Number > 0)
        {
            _tape?.TimerDue(timer);
        }

        timers.Advance(timer);
        RunHook(static job => job(), timer.Job!, "A timer");
    }

    internal void RunTick(RoomTick tick)
    {
        _tape?.Tick(in tick);
        RunHook(static state => state.Room.OnTick(in state.Tick), (Room: _room, Tick: tick), nameof(IRoomHooks.OnTick));
    }

    private int RunItems(int done)
    {
        int taken = 0;
        long takenBytes = 0;
        long began = _slowWork.Now;
        while (!(IsCutShort = IsSpent(done + taken)) && Queue.TryTake(out RoomItem item))
        {
            taken++;
            takenBytes += item.Bytes;
            _postedAt.Add(item.PostedAt);
            Run(in item);
            if (_slowWork.Lap(ref began) is > 0 and var milliseconds)
            {
                OnSlow(item.Invoker?.NameOf(in item) ?? "OnFrame", milliseconds);
            }
        }

        if (taken > 0)
        {
            Queue.OnRun(taken, takenBytes);
        }

        return taken;
    }

    internal void Run(in RoomItem item)
    {
        _tape?.Item(in item);
        try
        {
            _room.Run(in item);
        }
        catch (Exception e)
        {
            OnJobFault(e);
        }
        finally
        {
            item.Body?.Release();
        }
    }

    private void OnSlow(string step, int milliseconds)
    {
        if (_slowWork.TryTake(_context.Id, out int leftOut))
        {
            RoomLog.SlowStep(_services.Logger, step, _context.Id, _context.Name, milliseconds, leftOut);
        }
    }

    private void OnJobFault(Exception exception)
    {
        // The application's code; its fault must not stop the room.
        _services.Metrics.Add(Counter.HandlerFaults);
        _tape?.Failed(exception);
        RoomLog.JobFault(_services.Logger, exception, _context.Id, _context.Name);
    }

    /// <summary>Ends a removed room whose queue is empty, and lets an empty room know.</summary>
    /// <param name="done">The number of items that the turn has run.</param>
    private void EndIfEmptyOrRemoved(int done)
    {
        if (IsLast)
        {
            TakeOutMembers(ref done);
        }

        if (_mayBeEmpty)
        {
            if (_members.Count == 0)
            {
                RunHook(static room => room.OnEmpty(), _room, nameof(IRoomHooks.OnEmpty));
                if (_context.Settings.RemoveWhenEmpty && _members.Count == 0)
                {
                    _room.Remove();
                }
            }

            _mayBeEmpty = false; // changes that the hook made are seen below
        }

        if (IsLast)
        {
            TakeOutMembers(ref done); // those that the hook let in
            if (_members.Count == 0)
            {
                Dispose();
            }
        }
    }

    /// <summary>Takes out the members of a room that has ended, over as many turns as that takes.</summary>
    private void TakeOutMembers(ref int done)
    {
        for (; _members.Count > 0 && !(IsCutShort = IsSpent(done)); done++)
        {
            // A fault comes after the session has lost its seat, so it keeps neither the others nor the end of the room waiting.
            Guard(
                static state => state.Room.TakeOut(state.Member),
                (Room: _room, Member: _members.Sessions[^1]),
                nameof(IRoomHooks.TakeOut));
        }
    }

    private void Dispose()
    {
        HasEnded = true;
        _timers?.Close();
        RunHook(static room => room.OnDispose(), _room, nameof(IRoomHooks.OnDispose));
        _timers?.Clear();
        _drain.Add(EndedSource);
    }

    private void RecordLatency()
    {
        if (_postedAt.Count == 0)
        {
            return;
        }

        long now = _services.Time.GetTimestamp();
        foreach (long postedAt in CollectionsMarshal.AsSpan(_postedAt))
        {
            _services.Metrics.RecordLatency(now - postedAt);
        }

        _postedAt.Clear();
    }
}
