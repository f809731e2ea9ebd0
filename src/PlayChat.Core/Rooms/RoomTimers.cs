namespace PlayChat.Core.Rooms;

/// <summary>
/// The timers and the tick of a room. They run in its turn before the items and do not pass through the queue, so a full queue delays none.
/// </summary>
/// <remarks>
/// <para>Invariant: at the end of every turn the clock is set to the earliest timer (<c>_armed</c>), unless it has woken the room already
/// (<c>_isDue</c>), in which case another turn follows.</para>
/// <para>Only the room's turn uses it, except <see cref="Wake"/>, which the clock calls, and <see cref="IsDue"/>.</para>
/// </remarks>
internal sealed class RoomTimers(long roomId, TurnThread thread, RoomScheduler scheduler, RoomServices services, bool isClosed) : IWakeable
{
    private const double MaxTickHertz = 1000;

    private static readonly TimeSpan s_longestTime = TimeSpan.FromDays(365);

    private readonly RoomClock _clock = services.Clock;
    private readonly TimeProvider _time = services.Time;
    private readonly ServerMetrics _metrics = services.Metrics;
    private readonly DueHeap<RoomTimer> _heap = new();
    private RoomTimer? _tick;
    private TimeSpan _tickPeriod;
    private long _tickNumber;
    private long _armed = long.MaxValue; // the time at which the clock wakes the room
    private long _runNow; // the time at which the present run of due timers began
    private long _runOrder; // timers set from this order on are not part of the present run
    private int _isDue;
    private bool _isClosed = isClosed;

    int IDue.HeapIndex { get; set; } = -1; // in the clock's heap

    internal bool IsTicking => _tick is not null;

    /// <summary>Whether the clock has woken the room, and no turn has looked at the timers since. Thread-safe.</summary>
    internal bool IsDue => Volatile.Read(ref _isDue) == 1;

    /// <summary>Called by the clock.</summary>
    public void Wake()
    {
        // Full barrier: either the end of the present turn sees _isDue, or that turn is over and this call schedules another.
        Interlocked.Exchange(ref _isDue, 1);
        scheduler.ScheduleNow();
    }

    /// <summary>Starts a timer that runs a job once.</summary>
    internal RoomTimer After(TimeSpan delay, Action job)
    {
        ArgumentNullException.ThrowIfNull(job);
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(delay, s_longestTime);
        return Start(new RoomTimer(this, job, _time.GetTimestamp() + ToTicks(delay)) { Number = ++LastNumber, Delay = delay });
    }

    /// <summary>Starts a timer that runs a job in each period.</summary>
    internal RoomTimer Every(TimeSpan period, Action job, bool isOfRole = false)
    {
        ArgumentNullException.ThrowIfNull(job);
        ArgumentOutOfRangeException.ThrowIfLessThan(period, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(period, s_longestTime);
        return Start(
            new RoomTimer(this, job, _time.GetTimestamp(), ToTicks(period)) { Number = isOfRole ? 0 : ++LastNumber, Delay = period });
    }

    /// <summary>Starts the tick, or starts it anew with another rate.</summary>
    internal void StartTick(double hertz)
    {
        if (!(hertz is > 0 and <= MaxTickHertz))
        {
            throw new ArgumentOutOfRangeException(nameof(hertz), hertz, $"A room ticks up to {MaxTickHertz} times a second.");
        }

        StopTick();
        _tickPeriod = TimeSpan.FromSeconds(1 / hertz);
        _tickNumber = 0;
        double period = _time.TimestampFrequency / hertz;
        _tick = Start(new RoomTimer(this, job: null, TickPhase(period), period));
    }

    internal void StopTick()
    {
        if (_tick is not null)
        {
            Remove(_tick);
        }

        _tick = null;
    }

    /// <summary>Begins to run the timers that are due now. A timer that is set from now on waits for a later turn.</summary>
    internal void BeginRun()
    {
        Volatile.Write(ref _isDue, 0);
        _armed = long.MaxValue; // the clock has forgotten the room
        _runOrder = _heap.NextOrder;
        _runNow = _time.GetTimestamp();
    }

    /// <summary>
    /// Returns the next timer of this run, which <see cref="Advance"/> or <see cref="AdvanceTick"/> then passes; <see langword="null"/>
    /// if there is none.
    /// </summary>
    internal RoomTimer? FindDue() => _heap.FindDue(_runNow, _runOrder);

    /// <summary>Finds a timer that a recording has.</summary>
    /// <returns><see langword="null"/> if it does not run.</returns>
    internal RoomTimer? Find(long number)
    {
        _runNow = _time.GetTimestamp();
        return _heap.Items.FirstOrDefault(timer => timer.Number == number);
    }

    /// <summary>The period of the tick; zero if there is none.</summary>
    internal TimeSpan TickPeriod => _tick is null ? TimeSpan.Zero : _tickPeriod;

    /// <summary>The number of the timer that was started last; 0 before the first.</summary>
    internal long LastNumber { get; set; }

    /// <summary>The timers that run, without the tick and those of a <see cref="RoomRole"/>, in the order in which they were
    /// started.</summary>
    internal IEnumerable<RoomTimer> Numbered => _heap.Items.Where(static timer => timer.Number > 0).OrderBy(static timer => timer.Number);

    /// <summary>Sets a timer to its next time, or ends it.</summary>
    internal void Advance(RoomTimer timer) => timer.Advance(_runNow);

    /// <summary>Sets the tick to its next time.</summary>
    /// <returns>The tick that is due.</returns>
    internal RoomTick AdvanceTick(RoomTimer timer)
    {
        long now = _time.GetTimestamp();
        (long due, long missed) = timer.Advance(now);
        _metrics.RecordTick(now - due, missed);
        _tickNumber += missed + 1;
        return new RoomTick(_tickNumber, _tickPeriod * (missed + 1), missed, _time.GetElapsedTime(due, now));
    }

    /// <summary>Leaves the rest of this run to another turn, which follows at once.</summary>
    internal void RunLater() => Volatile.Write(ref _isDue, 1);

    /// <summary>Sets the clock to the earliest timer. The turn calls it at its end.</summary>
    internal void Arm()
    {
        // If the clock has woken the room already, the next turn comes here again.
        if (_heap.NextDue != _armed && !IsDue)
        {
            _armed = _heap.NextDue;
            _clock.Set(this, _armed);
        }
    }

    /// <summary>Ends the room's use of timers: one that is started from now on never comes due.</summary>
    internal void Close() => _isClosed = true;

    /// <summary>Cancels all timers.</summary>
    internal void Clear()
    {
        _heap.Clear();
        _clock.Set(this, long.MaxValue);
    }

    /// <summary>Called by a timer: sets the time when it is due.</summary>
    internal void Set(RoomTimer timer, long due) => _heap.Set(timer, due);

    /// <summary>Called by a timer that is cancelled.</summary>
    internal void Cancel(RoomTimer timer)
    {
        thread.Require("RoomTimer.Cancel");
        Remove(timer);
    }

    /// <summary>Called by a timer that ends.</summary>
    internal void Remove(RoomTimer timer) => _heap.Remove(timer);

    private RoomTimer Start(RoomTimer timer)
    {
        if (!_isClosed)
        {
            timer.Start(_time.GetTimestamp());
        }

        return timer;
    }

    /// <summary>
    /// Returns the place of the room's ticks within a period, in ticks of the clock. Rooms with the same place share a wake-up of the
    /// clock.
    /// </summary>
    private long TickPhase(double period)
    {
        double millisecond = _time.TimestampFrequency / 1000d;
        double places = Math.Max(1, Math.Floor(period / millisecond));
        // Multiples of the golden ratio spread any run of consecutive ids evenly.
        double place = roomId * 0.6180339887498949 % 1;
        return (long)(Math.Floor(place * places) * millisecond);
    }

    private long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * _time.TimestampFrequency);
}
