using System.Collections.Concurrent;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Rooms;

/// <summary>Flushes rooms one after another, on whatever thread comes to it first.</summary>
/// <remarks>
/// A flush is sends, and those take processor time from the peers on the machine and from the kernel's own work. While one is under way the other rooms
/// gather, so that they send less often and more at once. (Rooms that have only a few members to send to do not come here.) Jobs do not run in here, so one that blocks holds up no other room. Thread-safe.
/// </remarks>
internal sealed class FlushLane : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<Room> _rooms = new();
    private int _count; // queued or being flushed; who makes it more than none runs the lane

    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>Flushes a room now, or behind those that are being flushed on another thread.</summary>
    internal void Flush(Room room)
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
        for (int left = count; left > 0 && _rooms.TryDequeue(out Room? room); left--)
        {
            room.Flush();
        }

        // What came meanwhile has its turn behind what else the thread has to do.
        if (Interlocked.Add(ref _count, -count) > 0)
        {
            LocalWork.Queue(this);
        }
    }
}
