namespace PlayChat.Core.Rooms;

/// <summary>Decides when and on which thread a room's turn runs: at most one at a time, and none while there is no work.</summary>
/// <remarks>
/// <para>Invariant: <c>_state</c> is <c>Scheduled</c> from the moment a turn is queued until it has been flushed, and only the thread
/// that changed it to <c>Scheduled</c> queues the turn. It is <c>Waiting</c> while a turn waits for the flush interval;
/// <see cref="TryEndWait"/> gives that turn to exactly one caller. <c>_isFlushing</c> and <c>_holdTimer</c> belong to the turn.</para>
/// <para>It is the work item of the room, so that no public type is one. It runs on the thread pool or on an event loop.
/// Thread-safe.</para>
/// </remarks>
internal sealed class RoomScheduler : IThreadPoolWorkItem
{
    private const int Idle = 0;
    private const int Scheduled = 1;
    private const int Waiting = 2;

    private static readonly TimeSpan s_holdStep = TimeSpan.FromMilliseconds(1);

    private readonly IRoomTurn _turn;
    private readonly TimeProvider _time;
    private readonly FlushLane _lane;
    private readonly FlushWait? _flushWait; // if there is a flush interval
    private readonly long _flushTicks;
    private long _lastFlush;
    private ITimer? _holdTimer;
    private int _state;
    private bool _isFlushing;

    internal RoomScheduler(IRoomTurn turn, FlushLane lane, RoomServices services)
    {
        _turn = turn;
        _time = services.Time;
        _lane = lane;
        _flushTicks = (long)(services.Options.FlushInterval.TotalSeconds * _time.TimestampFrequency);
        _flushWait = _flushTicks > 0 ? new FlushWait(this, services) : null;
        _lastFlush = _time.GetTimestamp() - _flushTicks;
    }

    /// <summary>Whether no turn runs, is queued or waits. For tests.</summary>
    internal bool IsIdle => Volatile.Read(ref _state) == Idle;

    /// <summary>The time at which the flush interval ends that a turn waits for; <see langword="null"/> if none waits.</summary>
    internal long? WaitsUntil => Volatile.Read(ref _state) == Waiting ? Volatile.Read(ref _lastFlush) + _flushTicks : null;

    /// <summary>Lets no turn run by itself: the room repeats a recording. Call it before anything is posted.</summary>
    internal void Hold() => Volatile.Write(ref _state, Scheduled);

    /// <summary>Runs the turn, or the next slice of its flush.</summary>
    public void Execute()
    {
        // The flush of a large room is done in slices, each a work item of its own, so that other rooms get the thread in between.
        if (!_isFlushing)
        {
            if (_turn.MustHold())
            {
                RunAfter(s_holdStep);
                return;
            }

            if (!_turn.Run())
            {
                EndTurn();
                return;
            }

            _isFlushing = true;
        }

        if (_turn.IsSmall)
        {
            Flush();
        }
        else
        {
            _lane.Flush(this);
        }
    }

    /// <summary>Flushes a slice. The turn or its lane calls it.</summary>
    internal void Flush()
    {
        if (!_turn.FlushSlice())
        {
            LocalWork.Queue(this);
            return;
        }

        _isFlushing = false;
        if (_flushTicks > 0)
        {
            Volatile.Write(ref _lastFlush, _time.GetTimestamp());
        }

        _turn.OnFlushed();
        EndTurn();
    }

    /// <summary>
    /// Schedules a turn, because there is work: at once, or when the flush interval has passed. Call it after the work is visible to the
    /// turn.
    /// </summary>
    internal void Schedule()
    {
        if (Volatile.Read(ref _state) != Idle || Interlocked.CompareExchange(ref _state, Scheduled, Idle) != Idle)
        {
            return;
        }

        if (_flushWait is not null && _time.GetTimestamp() - _lastFlush < _flushTicks)
        {
            WaitForInterval(_flushWait);
            return;
        }

        // Behind the work that is queued already: sockets that are ready now then add to this turn instead of causing another.
        LocalWork.Queue(this);
    }

    /// <summary>Schedules a turn for a timer that is due: at once, whatever the flush interval is.</summary>
    internal void ScheduleNow()
    {
        if (Interlocked.CompareExchange(ref _state, Scheduled, Idle) == Idle || TryEndWait())
        {
            LocalWork.QueueToPool(this);
        }
    }

    /// <summary>
    /// Ends the wait for the flush interval, unless a timer or another caller has ended it. The caller for which this returns true runs
    /// the turn.
    /// </summary>
    internal bool TryEndWait() => Interlocked.CompareExchange(ref _state, Scheduled, Waiting) == Waiting;

    private void EndTurn()
    {
        if (_turn.IsCutShort)
        {
            // The rest is due now and not at the next flush. Otherwise the interval would limit how many jobs a room can run.
            LocalWork.Queue(this);
            return;
        }

        // Full barrier before the second look: a writer that queued work while the state was still Scheduled did not schedule a turn, so
        // this thread must see its work.
        Interlocked.Exchange(ref _state, Idle);
        if (_turn.IsTimerDue)
        {
            ScheduleNow();
        }
        else if (_turn.HasWork)
        {
            Schedule();
        }
    }

    private void WaitForInterval(FlushWait wait)
    {
        long due = _lastFlush + _flushTicks; // read before a timer can start another turn
        // Full barrier before the look at the timers: a timer that was due before it found the state Scheduled and did nothing.
        Interlocked.Exchange(ref _state, Waiting);
        if (_turn.IsTimerDue)
        {
            ScheduleNow();
        }
        else
        {
            wait.Begin(due);
        }
    }

    private void RunAfter(TimeSpan wait)
    {
        _holdTimer ??= _time.CreateTimer(
            static state => LocalWork.QueueToPool((RoomScheduler)state!),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        _holdTimer.Change(wait, Timeout.InfiniteTimeSpan);
    }
}
