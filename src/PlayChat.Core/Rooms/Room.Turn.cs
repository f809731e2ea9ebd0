using System.Runtime.InteropServices;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Rooms;

// The turn: one uninterrupted run of what is queued, on a thread of the pool or on an event loop, never two at once.
public abstract partial class Room : IThreadPoolWorkItem
{
    private const int Idle = 0;
    private const int Scheduled = 1; // its turn comes, or is under way
    private const int Waiting = 2; // its turn comes when the flush interval has passed, or for a timer before

    private readonly long _flushTicks;
    private readonly FlushWait? _flushWait; // where there is an interval
    private readonly List<long> _postedAt = []; // of this turn's items, for the latency until they are handed to the sockets
    private long _lastFlush;
    private ITimer? _turnTimer;
    private int _scheduled; // Idle, Scheduled or Waiting
    private int _turnBytes; // sent in this turn, a broadcast counted once
    private bool _cutShort; // by a cap

    void IThreadPoolWorkItem.Execute()
    {
        // A large room's flush is done in slices, each a work item of its own, so that other rooms get the thread in between.
        if (!_flushing)
        {
            if (MustHold())
            {
                RunAfter(s_holdStep);
                return;
            }

            RunItems();
            if (!HasToFlush)
            {
                EndTurn();
                return;
            }

            BeginFlush();
        }

        if (HasFewToFlush)
        {
            Flush();
        }
        else
        {
            _services.FlushLaneOf(this).Flush(this);
        }
    }

    /// <summary>The second half of a turn, or a slice of it.</summary>
    internal void Flush()
    {
        if (FlushSlice())
        {
            EndTurn();
        }
        else
        {
            LocalWork.Queue(this);
        }
    }

    private void EndTurn()
    {
        if (_cutShort)
        {
            // There is more: it is due now and not at the next flush, or the interval would bound how many jobs a room can do.
            LocalWork.Queue(this);
            return;
        }

        // Full barrier before the second look: what was queued while the flag was still set was not scheduled by its writer, so
        // it must be seen here.
        Interlocked.Exchange(ref _scheduled, Idle);
        if (_timers is { IsDue: true })
        {
            ScheduleTimers();
        }
        else if (_items.Reader.TryPeek(out _) || !_lost.IsEmpty)
        {
            Schedule();
        }
    }

    private void Schedule()
    {
        if (Volatile.Read(ref _scheduled) != Idle || Interlocked.CompareExchange(ref _scheduled, Scheduled, Idle) != Idle)
        {
            return;
        }

        if (_flushWait is not null && _services.Time.GetTimestamp() - _lastFlush < _flushTicks)
        {
            WaitForInterval(_flushWait);
            return;
        }

        // Behind what else is queued: sockets that are ready now add to this turn instead of making one of their own.
        LocalWork.Queue(this);
    }

    private void WaitForInterval(FlushWait wait)
    {
        long due = _lastFlush + _flushTicks; // before a timer can give the room another turn
        // Full barrier before the look: a timer that came before found the room scheduled, and left it at that.
        Interlocked.Exchange(ref _scheduled, Waiting);
        if (_timers is { IsDue: true })
        {
            ScheduleTimers();
        }
        else
        {
            wait.Begin(due);
        }
    }

    /// <summary>Whether it has no turn and waits for none. For tests.</summary>
    internal bool IsIdle => Volatile.Read(ref _scheduled) == Idle;

    /// <summary>Until when the room waits for its flush interval; <see langword="null"/> when it does not.</summary>
    internal long? WaitsUntil => Volatile.Read(ref _scheduled) == Waiting ? Volatile.Read(ref _lastFlush) + _flushTicks : null;

    /// <summary>Ends the wait, unless a timer has, or another caller. He who did gives the room its turn.</summary>
    internal bool TryEndWait() => Interlocked.CompareExchange(ref _scheduled, Scheduled, Waiting) == Waiting;

    private void RunAfter(TimeSpan wait)
    {
        _turnTimer ??= _services.Time.CreateTimer(
            static state => ThreadPool.UnsafeQueueUserWorkItem((Room)state!, preferLocal: false), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _turnTimer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    /// <summary>A turn that had nothing to do but for the room itself needs none.</summary>
    private bool HasToFlush => _postedAt.Count > 0 || _blocks.Count > 0 || _queued || _touched.Count > 0 || _few is not null || IsAwaited;

    /// <summary>Whether somebody waits for a turn's end.</summary>
    private bool IsAwaited => _drained is not null || _drainedNext is not null;

    private void RunItems()
    {
        if (!_isCreated)
        {
            Create();
        }

        _turnBytes = 0;
        // The caps keep one loud room from holding a thread while others wait, and one turn from filling its members' queues.
        int lost = 0;
        while (!IsSpent(lost) && _lost.TryDequeue(out Session? session))
        {
            lost++;
            RunLost(session);
        }

        if (_timers is { IsDue: true } timers)
        {
            RunTimers(timers);
        }

        int taken = 0;
        long takenBytes = 0;
        while (!(_cutShort = IsSpent(lost + taken))
            && _items.Reader.TryRead(out RoomItem item))
        {
            taken++;
            takenBytes += item.Bytes;
            _postedAt.Add(item.PostedAt);
            Run(in item);
        }

        if (taken > 0)
        {
            _services.Metrics.Add(Counter.JobsExecuted, taken);
            _services.Metrics.ObserveQueueDepth(taken + _items.Reader.Count);
            GiveBack(takenBytes);
        }

        if (_mayBeEmpty || _removed)
        {
            Settle(lost + taken);
        }

        _timers?.Arm();
    }

    /// <summary>Whether a turn that has done so much has to end.</summary>
    private bool IsSpent(int items) => items >= _services.Options.MaxItemsPerTurn || _turnBytes >= _services.MaxTurnBytes;

    private void Run(in RoomItem item)
    {
        try
        {
            if (item.Invoker is { } invoker)
            {
                invoker.Invoke(this, item.Job!, item.First, item.Second);
            }
            else
            {
                OnFrame((Session)item.First!, item.Header, item.Body!.Array.AsSpan(0, item.Body.Written));
            }
        }
        catch (Exception e)
        {
            // The application's code; its fault must not stop the room.
            _services.Metrics.Add(Counter.HandlerFaults);
            RoomLog.JobFault(_services.Logger, e, Id, Name);
        }
        finally
        {
            item.Body?.Release();
        }
    }

    private void RunLost(Session session)
    {
        try
        {
            Lose(session);
        }
        catch (Exception e)
        {
            _services.Metrics.Add(Counter.HandlerFaults);
            RoomLog.JobFault(_services.Logger, e, Id, Name);
        }
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
