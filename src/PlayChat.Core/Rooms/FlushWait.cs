using PlayChat.Core.Transport;

namespace PlayChat.Core.Rooms;

/// <summary>A room's wait until its flush interval has passed: on the event loop whose thread it comes from, elsewhere in the clock. Thread-safe.</summary>
/// <remarks>
/// <para>It stands in one place at most, and there once. A room that a timer wakes early leaves it there; should the room wait again before that time, it finds it
/// standing, and what stands moves on when its old time comes.</para>
/// <para>No wait is lost: who begins one makes the room waiting and then looks whether it stands, and whoever takes it out says so and then looks whether the room waits, each with a
/// full barrier between. So one of the two sees the other, or both do, and then the compare-exchange in <see cref="Room.TryEndWait"/> gives the turn to one.</para>
/// </remarks>
internal sealed class FlushWait(Room room, RoomServices services) : IWakeable, IThreadPoolWorkItem
{
    private int _stands;

    int IDue.Place { get; set; } = -1; // in the clock

    /// <summary>Called by the clock.</summary>
    void IWakeable.Wake()
    {
        if (IsOver())
        {
            ThreadPool.UnsafeQueueUserWorkItem(room, preferLocal: false);
        }
    }

    /// <summary>Called by the event loop, where the room then has its turn.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (IsOver())
        {
            ((IThreadPoolWorkItem)room).Execute();
        }
    }

    /// <summary>The room waits from now on.</summary>
    /// <param name="due">Until when.</param>
    internal void Begin(long due)
    {
        if (Interlocked.Exchange(ref _stands, 1) == 1 || TryStand(due))
        {
            return;
        }

        // The server has stopped: nobody waits any more. (On a loop a room may still, for one interval; the loop serves it.)
        Interlocked.Exchange(ref _stands, 0);
        if (room.TryEndWait())
        {
            ThreadPool.UnsafeQueueUserWorkItem(room, preferLocal: false);
        }
    }

    private bool TryStand(long due)
    {
        // A loop knows the system's time alone.
        if (LocalWork.Current is { } loop && ReferenceEquals(services.Time, TimeProvider.System))
        {
            loop.EnqueueAt(this, due);
            return true;
        }

        return services.Clock.Set(this, due);
    }

    /// <summary>It stands nowhere now.</summary>
    /// <returns>Whether the room has its turn, which is the caller's to run.</returns>
    private bool IsOver()
    {
        Interlocked.Exchange(ref _stands, 0);
        if (room.WaitsUntil is not { } due)
        {
            return false; // it has had a turn for its timers meanwhile
        }

        if (due > services.Time.GetTimestamp())
        {
            Begin(due); // and waits again
            return false;
        }

        return room.TryEndWait();
    }
}
