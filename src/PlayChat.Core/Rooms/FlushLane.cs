namespace PlayChat.Core.Rooms;

/// <summary>Flushes rooms one after another, on the thread that finds the lane free.</summary>
/// <remarks>
/// <para>A flush consists of sends, which take processor time from the clients on this machine and from the kernel. While one room is
/// flushed the others gather more to send, so that they send less often. (A room with only a few connections to flush does not use a
/// lane.) Jobs do not run in a lane, so a job that blocks delays no other room.</para>
/// <para>Invariant: <c>_count</c> is the number of rooms that are queued or being flushed; the thread that raises it from 0 runs the lane.
/// Thread-safe.</para>
/// </remarks>
internal sealed class FlushLane : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<RoomScheduler> _rooms = new();
    private int _count;

    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>Flushes a room now, or behind the rooms that another thread is flushing.</summary>
    internal void Flush(RoomScheduler room)
    {
        _rooms.Enqueue(room);
        if (Interlocked.Increment(ref _count) == 1)
        {
            Run();
        }
    }

    private void Run()
    {
        int count = Volatile.Read(ref _count);
        for (int left = count; left > 0 && _rooms.TryDequeue(out RoomScheduler? room); left--)
        {
            room.Flush();
        }

        // Rooms that were added meanwhile wait behind the other work of this thread.
        if (Interlocked.Add(ref _count, -count) > 0)
        {
            LocalWork.Queue(this);
        }
    }
}
