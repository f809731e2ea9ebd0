namespace PlayChat.Core.Rooms;

// Timers and the tick: they run in the turn, before its jobs, and do not pass through the queue, so a full queue holds none up.
public abstract partial class Room
{
    private const double MaxTickHertz = 1000;

    private static readonly TimeSpan s_longestTime = TimeSpan.FromDays(365);

    private RoomTimers? _timers; // from the first timer on
    private RoomTimer? _tick;
    private TimeSpan _tickPeriod;
    private long _tickNumber;

    /// <summary>The room's tick, in its turn; see <see cref="StartTick"/>. What it throws is logged and counted, and the ticks go on.</summary>
    protected virtual void OnTick(in RoomTick tick)
    {
    }

    /// <summary>Calls <see cref="OnTick"/> so many times a second, until <see cref="StopTick"/> or the end of the room.</summary>
    /// <remarks>
    /// The times are fixed by the server's clock, so that no lateness adds up, and each room has its own place within the period, so that many rooms do not tick at one
    /// instant; the first tick comes within a period. One that could not run before the next is due is missed: it is counted, and not made up for.
    /// </remarks>
    /// <param name="hertz">More than 0, at most 1,000; a clock that ticks already goes on at this rate. The system's timers are exact to about a millisecond.</param>
    /// <exception cref="ArgumentOutOfRangeException">The rate is out of range.</exception>
    protected void StartTick(double hertz)
    {
        if (!(hertz is > 0 and <= MaxTickHertz))
        {
            throw new ArgumentOutOfRangeException(nameof(hertz), hertz, $"A room ticks up to {MaxTickHertz} times a second.");
        }

        StopTick();
        _tickPeriod = TimeSpan.FromSeconds(1 / hertz);
        _tickNumber = 0;
        double period = _services.Time.TimestampFrequency / hertz;
        _tick = Start(new RoomTimer(Timers, job: null, TickPhase(period), period));
    }

    /// <summary>Ends the ticks.</summary>
    protected void StopTick()
    {
        _tick?.Cancel();
        _tick = null;
    }

    /// <summary>Runs a job in a later turn, once.</summary>
    /// <param name="delay">Zero, which is the next turn, to 365 days.</param>
    /// <param name="job">What it throws is logged and counted.</param>
    /// <returns>Cancels it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    protected RoomTimer After(TimeSpan delay, Action job)
    {
        ArgumentNullException.ThrowIfNull(job);
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(delay, s_longestTime);
        return Start(new RoomTimer(Timers, job, _services.Time.GetTimestamp() + ToTicks(delay)));
    }

    /// <summary>Runs a job in a turn of each period, first when one has passed. Times that could not be met are left out, not made up for.</summary>
    /// <param name="period">1 millisecond to 365 days.</param>
    /// <param name="job">What it throws is logged and counted, and the timer goes on.</param>
    /// <returns>Cancels it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The period is out of range.</exception>
    protected RoomTimer Every(TimeSpan period, Action job)
    {
        ArgumentNullException.ThrowIfNull(job);
        ArgumentOutOfRangeException.ThrowIfLessThan(period, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(period, s_longestTime);
        return Start(new RoomTimer(Timers, job, _services.Time.GetTimestamp(), ToTicks(period)));
    }

    private RoomTimers Timers => _timers ??= new RoomTimers(this, _services.Clock);

    /// <summary>Gives the room its turn for a timer: now, whatever its flush interval is.</summary>
    internal void ScheduleTimers()
    {
        if (Interlocked.CompareExchange(ref _scheduled, Scheduled, Idle) == Idle
            || TryEndWait())
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    private RoomTimer Start(RoomTimer timer)
    {
        if (!_isDisposed)
        {
            timer.Start(_services.Time.GetTimestamp());
        }

        return timer;
    }

    /// <summary>Where in a period the room's ticks are. Rooms with the same place share a wake-up of the clock.</summary>
    private long TickPhase(double period)
    {
        double millisecond = _services.Time.TimestampFrequency / 1000d;
        double places = Math.Max(1, Math.Floor(period / millisecond));
        // The golden section: any stretch of ids is spread evenly.
        double place = Id * 0.6180339887498949 % 1;
        return (long)(Math.Floor(place * places) * millisecond);
    }

    private void RunTimers(RoomTimers timers)
    {
        timers.Look();
        long order = timers.NextOrder; // what they set themselves has to wait
        long now = _services.Time.GetTimestamp();
        for (int ran = 0; timers.FindDue(now, order) is { } timer; ran++)
        {
            if (IsSpent(ran))
            {
                timers.LookAgain();
                return;
            }

            if (timer.Job is { } job)
            {
                timer.Pass(now);
                RunHook(static job => job(), job, "A timer");
            }
            else
            {
                Tick(timer);
            }
        }
    }

    private void Tick(RoomTimer timer)
    {
        long now = _services.Time.GetTimestamp();
        (long due, long missed) = timer.Pass(now);
        _services.Metrics.RecordTick(now - due, missed);
        _tickNumber += missed + 1;
        var tick = new RoomTick(_tickNumber, _tickPeriod * (missed + 1), missed, _services.Time.GetElapsedTime(due, now));
        RunHook(static ticking => ticking.Room.OnTick(in ticking.Tick), (Room: this, Tick: tick), nameof(OnTick));
    }
}
