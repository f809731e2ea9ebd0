namespace PlayChat.Core.Rooms;

/// <summary>
/// A room's wait for the end of its flush interval: in the event loop whose thread begins it, on other threads in the clock.
/// </summary>
/// <remarks>
/// <para>Queued at most once, either in the clock or in an event loop. If a timer wakes the room earlier, the wait stays queued there. If
/// the room waits again before that time, it uses the queued wait, which moves on when its old time comes.</para>
/// <para>Invariant: no wait is lost. <see cref="Begin"/> is called when the scheduler is waiting, and then reads <c>_isQueued</c>;
/// <see cref="MayRun"/> resets <c>_isQueued</c> and then asks the scheduler whether it waits. A full barrier separates the two steps on
/// both sides, so at least one side sees the other. If both do, the compare-exchange in <see cref="RoomScheduler.TryEndWait"/> gives the
/// turn to one.</para>
/// <para>Thread-safe.</para>
/// </remarks>
internal sealed class FlushWait(RoomScheduler scheduler, RoomServices services) : IWakeable, IThreadPoolWorkItem
{
    private int _isQueued;

    int IDue.HeapIndex { get; set; } = -1; // in the clock's heap

    /// <summary>Called by the clock.</summary>
    void IWakeable.Wake()
    {
        if (MayRun())
        {
            LocalWork.QueueToPool(scheduler);
        }
    }

    /// <summary>Called by the event loop, which then runs the room's turn.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (MayRun())
        {
            scheduler.Execute();
        }
    }

    /// <summary>Begins a wait. The scheduler is in the state of waiting already.</summary>
    /// <param name="due">The time when the wait ends.</param>
    internal void Begin(long due)
    {
        if (Interlocked.Exchange(ref _isQueued, 1) == 1 || TryQueue(due))
        {
            return;
        }

        // The server has stopped, so rooms wait no longer. (On a loop a room may still wait for one interval; the loop serves it.)
        Interlocked.Exchange(ref _isQueued, 0);
        if (scheduler.TryEndWait())
        {
            LocalWork.QueueToPool(scheduler);
        }
    }

    private bool TryQueue(long due)
    {
        // A loop works with the system's time only.
        if (LocalWork.Current is { } loop && ReferenceEquals(services.Time, TimeProvider.System))
        {
            loop.EnqueueAt(this, due);
            return true;
        }

        return services.Clock.Set(this, due);
    }

    /// <summary>Called when the queued wait is due; it is then queued no longer. Waits again if the room's interval ends later.</summary>
    /// <returns>Whether the caller has to run the room's turn.</returns>
    private bool MayRun()
    {
        Interlocked.Exchange(ref _isQueued, 0);
        if (scheduler.WaitsUntil is not { } due)
        {
            return false; // the room has had a turn for its timers meanwhile
        }

        if (due > services.Time.GetTimestamp())
        {
            Begin(due);
            return false;
        }

        return scheduler.TryEndWait();
    }
}
