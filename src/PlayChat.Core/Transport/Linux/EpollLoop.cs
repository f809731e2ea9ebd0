using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using PlayChat.Core.Buffers;

namespace PlayChat.Core.Transport.Linux;

/// <summary>One event loop: a thread that waits for events, handles them, and runs the work they left.</summary>
/// <remarks>
/// The thread starts with the first target and ends a while after the last. Continuations run on it, so nothing that runs on it may block.
/// An event names its target by a place in a table and the generation of that place, so one that was fetched before its target
/// went reaches nobody.
/// </remarks>
/// <param name="name">Its thread's.</param>
/// <param name="startThread">Starts its thread, which the system may refuse.</param>
internal sealed unsafe class EpollLoop(string name, Action<Thread> startThread) : ILocalWorkQueue
{
    private const int MaxEvents = 1024;

    // How long the thread outlives its last target: a program that connects again and again needs no thread each time.
    private const int LingerMilliseconds = 1000;

    private const ulong WakeData = ulong.MaxValue;

    // struct epoll_event is packed on x64 alone: 4 bytes of events, 8 of data.
    private static readonly int s_dataOffset = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;
    private static readonly int s_eventBytes = s_dataOffset + sizeof(ulong);

    private readonly object _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _work = new(); // the thread's alone, like the next
    private readonly PriorityQueue<IThreadPoolWorkItem, long> _later = new();
    private readonly Stack<int> _free = new(); // guarded by _gate
    private Slot[] _slots = new Slot[64]; // replaced and filled under _gate, read by the thread
    private int _used; // slots, guarded by _gate
    private int _targets; // written under _gate
    private bool _runs; // guarded by _gate
    private int _epoll = -1; // guarded by _gate, like the next
    private int _wake = -1;

    private struct Slot
    {
        internal IEpollTarget? Target;
        internal uint Generation;
    }

    /// <summary>What it watches. For tests and shutdown.</summary>
    internal IReadOnlyList<IEpollTarget> Targets
    {
        get
        {
            lock (_gate)
            {
                return [.. _slots.Where(static slot => slot.Target is not null).Select(static slot => slot.Target!)];
            }
        }
    }

    /// <summary>Whether its thread is there.</summary>
    internal bool IsRunning
    {
        get
        {
            lock (_gate)
            {
                return _runs;
            }
        }
    }

    private bool IsOwnThread => ReferenceEquals(LocalWork.Current, this);

    void ILocalWorkQueue.Enqueue(IThreadPoolWorkItem item) => _work.Enqueue(item);

    void ILocalWorkQueue.EnqueueAt(IThreadPoolWorkItem item, long due) => _later.Enqueue(item, due);

    /// <summary>Watches a target from now on; what is so already is reported as an event. Nothing happens if it is watched.</summary>
    /// <returns>0, or the system's error.</returns>
    internal int Add(IEpollTarget target, int fd, EpollEvents events)
    {
        lock (_gate)
        {
            if (target.Slot >= 0)
            {
                return 0;
            }

            int error = EnsureRunning();
            if (error != 0)
            {
                return error;
            }

            int slot = TakeSlot();
            _slots[slot].Target = target;
            ulong data = ((ulong)_slots[slot].Generation << 32) | (uint)slot;
            error = Control(fd, events, data);
            if (error == 0)
            {
                target.Slot = slot;
                _targets++;
            }
            else
            {
                FreeSlot(slot);
            }

            return error;
        }
    }

    /// <summary>Watches a target no more: no event reaches it that has not begun to. Before its file is closed.</summary>
    internal void Remove(IEpollTarget target)
    {
        lock (_gate)
        {
            if (target.Slot < 0)
            {
                return;
            }

            FreeSlot(target.Slot);
            target.Slot = -1;
            if (--_targets == 0 && !IsOwnThread)
            {
                Wake(); // it waits without an end, and should wait for its own
            }
        }
    }

    private void Run()
    {
        LocalWork.Current = this;
        SocketEngineThreads.GatherEventsHere();
        void* events = NativeMemory.Alloc(MaxEvents, (nuint)s_eventBytes);
        int epoll = _epoll; // both live as long as the thread
        int wake = _wake;
        try
        {
            while (true)
            {
                int timeout = _work.Count > 0 ? 0 : Volatile.Read(ref _targets) > 0 ? Timeout.Infinite : LingerMilliseconds;
                int count = _later.Count == 0 ? Libc.EpollWait(epoll, events, MaxEvents, timeout) : WaitUntilDue(epoll, events, timeout);
                if (count <= 0 && timeout == LingerMilliseconds && TryEnd())
                {
                    return;
                }

                Handle((byte*)events, count, wake);
                RunWork();
            }
        }
        finally
        {
            NativeMemory.Free(events);
            LocalWork.Current = null;
        }
    }

    /// <summary>Waits for events, no longer than to the first item that is due; what is due then is queued.</summary>
    private int WaitUntilDue(int epoll, void* events, int timeout)
    {
        _later.TryPeek(out _, out long due);
        TimeSpan left = timeout == 0 ? TimeSpan.Zero : TimeProvider.System.GetElapsedTime(TimeProvider.System.GetTimestamp(), due);
        int count = Libc.EpollWait(epoll, events, MaxEvents, left);
        long now = TimeProvider.System.GetTimestamp();
        while (_later.TryPeek(out IThreadPoolWorkItem? item, out due) && due <= now)
        {
            _later.Dequeue();
            _work.Enqueue(item);
        }

        return count;
    }

    private void Handle(byte* events, int count, int wake)
    {
        for (int i = 0; i < count; i++, events += s_eventBytes)
        {
            PrefetchNext(events, count - i);
            ulong data = *(ulong*)(events + s_dataOffset);
            if (data == WakeData)
            {
                ulong ignored;
                _ = Libc.Read(wake, &ignored, sizeof(ulong));
                continue;
            }

            // A target that another thread removes at this moment may still be called; it knows that it has ended.
            ref Slot slot = ref Volatile.Read(ref _slots)[(uint)data];
            IEpollTarget? target = Volatile.Read(ref slot.Target); // before its generation, which is written before it
            if (target is null || slot.Generation != (uint)(data >> 32))
            {
                continue;
            }

            try
            {
                target.OnEvents((EpollEvents)(*(uint*)events));
            }
            catch (Exception)
            {
                // What reads a link are connections and async methods, which keep their exceptions to themselves. A continuation of another kind that
                // throws costs its own link, not the thousands that share the thread.
                (target as LinuxConnection)?.Abort();
            }
        }
    }

    /// <summary>
    /// A link, and the connection that reads it, have been out of the processor's cache since their last event. Asked for while the events before
    /// are handled, they are there in time. Measured in bench/README.md, "What was changed".
    /// </summary>
    private void PrefetchNext(byte* events, int left)
    {
        // Not looked at: what type it is stands in the memory that is asked for.
        if (left > 3 && TargetOf(events + (3 * s_eventBytes)) is { } target)
        {
            Memory.Prefetch(target, LinuxConnection.HotBytes);
        }

        if (left > 2)
        {
            (TargetOf(events + (2 * s_eventBytes)) as LinuxConnection)?.PrefetchReader();
        }
    }

    private IEpollTarget? TargetOf(byte* epollEvent)
    {
        ulong data = *(ulong*)(epollEvent + s_dataOffset);
        return data == WakeData ? null : Volatile.Read(ref _slots)[(uint)data].Target;
    }

    /// <summary>Runs what was queued up to now. What that queues has its turn after the next events, so that neither starves the other.</summary>
    private void RunWork()
    {
        for (int left = _work.Count; left > 0; left--)
        {
            try
            {
                _work.Dequeue().Execute();
            }
            catch (Exception e)
            {
                // A fault of ours, which anywhere else would be the thread pool's to report: so it is here.
                ThreadPool.UnsafeQueueUserWorkItem(static info => info.Throw(), ExceptionDispatchInfo.Capture(e), preferLocal: false);
            }
        }
    }

    private int EnsureRunning()
    {
        if (_runs)
        {
            return 0;
        }

        _epoll = Libc.EpollCreate(Libc.CloseOnExec);
        int error = _epoll < 0 ? Marshal.GetLastPInvokeError() : 0;
        if (error == 0)
        {
            _wake = Libc.EventFd(0, Libc.CloseOnExec | Libc.NonBlocking);
            error = _wake < 0 ? Marshal.GetLastPInvokeError() : Control(_wake, EpollEvents.Readable, WakeData);
        }

        if (error == 0)
        {
            error = StartThread();
        }

        _runs = error == 0;
        if (!_runs)
        {
            CloseFiles();
        }

        return error;
    }

    private int StartThread()
    {
        try
        {
            startThread(new Thread(Run) { IsBackground = true, Name = name });
            return 0;
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadStartException)
        {
            return LinuxErrors.NoMemory; // as many threads as the system allows; the next target tries again
        }
    }

    private bool TryEnd()
    {
        lock (_gate)
        {
            if (_targets > 0 || _work.Count > 0 || _later.Count > 0)
            {
                return false;
            }

            CloseFiles();
            _runs = false;
            return true;
        }
    }

    private void CloseFiles()
    {
        if (_wake >= 0)
        {
            _ = Libc.Close(_wake);
        }

        if (_epoll >= 0)
        {
            _ = Libc.Close(_epoll);
        }

        (_epoll, _wake) = (-1, -1);
    }

    private void Wake()
    {
        ulong one = 1;
        _ = Libc.Write(_wake, &one, sizeof(ulong));
    }

    private int Control(int fd, EpollEvents events, ulong data)
    {
        byte* asked = stackalloc byte[s_eventBytes];
        *(uint*)asked = (uint)events;
        *(ulong*)(asked + s_dataOffset) = data;
        return Libc.EpollControl(_epoll, Libc.ControlAdd, fd, asked) < 0 ? Marshal.GetLastPInvokeError() : 0;
    }

    private int TakeSlot()
    {
        if (_free.TryPop(out int slot))
        {
            return slot;
        }

        if (_used == _slots.Length)
        {
            Slot[] larger = new Slot[_slots.Length * 2];
            Array.Copy(_slots, larger, _used);
            Volatile.Write(ref _slots, larger);
        }

        return _used++;
    }

    private void FreeSlot(int slot)
    {
        _slots[slot].Target = null;
        _slots[slot].Generation++;
        _free.Push(slot);
    }
}
