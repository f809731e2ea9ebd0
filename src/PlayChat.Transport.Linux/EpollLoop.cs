using System.Runtime.ExceptionServices;

namespace PlayChat.Transport.Linux;

/// <summary>An event loop: a thread that waits for events, handles them, and runs the work that they leave behind.</summary>
/// <remarks>
/// The thread starts with the first target and ends a second after the last. Continuations run on it, so nothing that runs on it may block.
/// An event names its target by a slot of a table and the generation of that slot. An event that was fetched before its target was removed
/// therefore reaches no other target.
/// <para>
/// A turn handles the events of established links, then local work, and last a few newcomers (<see cref="Defer"/>). A flood of new links
/// therefore delays the established ones by little.
/// </para>
/// </remarks>
/// <param name="name">The thread's name.</param>
/// <param name="startThread">Starts the thread, which the system may refuse.</param>
internal sealed unsafe class EpollLoop(string name, Action<Thread> startThread) : ILocalWorkQueue
{
    private const int MaxEvents = 1024;

    // How long the thread outlives its last target, so that a program that connects again and again does not start a thread each time.
    private const int LingerMilliseconds = 1000;

    // How much of a link an event touches. A listener is smaller, and bytes fetched behind it do no harm.
    private const int HotBytes = 192;

    // Newcomers that a turn serves: about a millisecond, even if each is set up and closed.
    private const int MaxNewcomers = 16;

    private const ulong WakeData = ulong.MaxValue;

    // struct epoll_event is packed on x64 only: 4 bytes of events, 8 of data.
    private static readonly int s_dataOffset = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;
    private static readonly int s_eventBytes = s_dataOffset + sizeof(ulong);

    private readonly object _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _work = new(); // used by the loop's thread only, like the next two fields
    private readonly Queue<IEpollTarget> _newcomers = new();
    private readonly PriorityQueue<IThreadPoolWorkItem, long> _later = new();
    private readonly Stack<int> _free = new(); // guarded by _gate
    private Slot[] _slots = new Slot[64]; // replaced and filled under _gate, read by the thread
    private int _used; // number of slots ever taken, guarded by _gate
    private int _targets; // written under _gate
    private bool _runs; // written under _gate
    private int _epoll = -1; // guarded by _gate, like the next field
    private int _wake = -1;

    private struct Slot
    {
        internal IEpollTarget? Target;
        internal uint Generation;
    }

    /// <summary>The targets that the loop watches. For tests and disposal.</summary>
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

    /// <summary>Whether the loop's thread runs.</summary>
    internal bool IsRunning => Volatile.Read(ref _runs);

    private bool IsOwnThread => ReferenceEquals(ILocalWorkQueue.Current, this);

    void ILocalWorkQueue.Enqueue(IThreadPoolWorkItem item) => _work.Enqueue(item);

    void ILocalWorkQueue.EnqueueAt(IThreadPoolWorkItem item, long due) => _later.Enqueue(item, due);

    /// <summary>
    /// Watches a target from now on, and reports its present state as an event. A target that is watched already stays as it is.
    /// </summary>
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

    /// <summary>
    /// Stops watching a target. Only an event that is being delivered may still reach it. Call it before the file is closed.
    /// </summary>
    /// <param name="target">The target.</param>
    /// <param name="sharedFile">
    /// Its file, if another process may hold the same socket: closing the file would not end the system's watch of it then.
    /// </param>
    internal void Remove(IEpollTarget target, int sharedFile = -1)
    {
        lock (_gate)
        {
            if (target.Slot < 0)
            {
                return;
            }

            if (sharedFile >= 0)
            {
                _ = Libc.EpollControl(_epoll, Libc.ControlDelete, sharedFile, null); // the loop runs while it has a target
            }

            FreeSlot(target.Slot);
            target.Slot = -1;
            if (--_targets == 0 && !IsOwnThread)
            {
                Wake(); // the thread waits without a timeout; from now on it waits for its own end
            }
        }
    }

    /// <summary>
    /// Serves a target after the established ones, by <see cref="IEpollTarget.OnDeferred"/>. Only on the loop's thread, and at most once
    /// before the target is served.
    /// </summary>
    internal void Defer(IEpollTarget target) => _newcomers.Enqueue(target);

    private void Run()
    {
        ILocalWorkQueue.Current = this;
        Libc.GatherEventsHere();
        void* events = NativeMemory.Alloc(MaxEvents, (nuint)s_eventBytes);
        int epoll = _epoll; // both files stay open as long as the thread runs
        int wake = _wake;
        try
        {
            while (true)
            {
                int timeout = _work.Count > 0 || _newcomers.Count > 0 ? 0
                    : Volatile.Read(ref _targets) > 0 ? Timeout.Infinite
                    : LingerMilliseconds;
                int count = _later.Count == 0 ? Libc.EpollWait(epoll, events, MaxEvents, timeout) : WaitUntilDue(epoll, events, timeout);
                if (count <= 0 && timeout == LingerMilliseconds && TryEnd())
                {
                    return;
                }

                Handle((byte*)events, count, wake);
                RunWork();
                ServeNewcomers();
            }
        }
        finally
        {
            NativeMemory.Free(events);
            ILocalWorkQueue.Current = null;
        }
    }

    /// <summary>Waits for events, at most until the first item is due, and then queues the items that are due.</summary>
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

            // A target that another thread removes at this moment may still be called; the target knows that it has ended.
            ref Slot slot = ref Volatile.Read(ref _slots)[(uint)data];
            IEpollTarget? target = Volatile.Read(ref slot.Target); // before the generation, which is written first
            if (target is null || slot.Generation != (uint)(data >> 32))
            {
                continue;
            }

            try
            {
                target.OnEvents((EpollEvents)(*(uint*)events));
            }
            catch (Exception e)
            {
                // Connections and async methods keep their exceptions to themselves, so this is a continuation of another kind, or a fault
                // of this transport. It costs its own link or listener, not the thousands that share the thread.
                Fail(target, e);
            }
        }
    }

    private static void Fail(IEpollTarget target, Exception exception)
    {
        try
        {
            target.Fail(exception);
        }
        catch (Exception e)
        {
            Report(e); // the log itself failed
        }
    }

    /// <summary>Reports an exception as the thread pool reports one of its work items: as unhandled, on a thread of the pool.</summary>
    private static void Report(Exception exception) => ThreadPool.UnsafeQueueUserWorkItem(
        static info => info.Throw(), ExceptionDispatchInfo.Capture(exception), preferLocal: false);

    /// <summary>
    /// Fetches the next links, and the connections that read them, while the events before are handled: since their last event they have
    /// left the processor's cache. An echo of 64 B costs 0.94 of the CPU time with it.
    /// </summary>
    private void PrefetchNext(byte* events, int left)
    {
        // The target itself is not touched here: even its type stands in the memory that is fetched.
        if (left > 3 && TargetOf(events + (3 * s_eventBytes)) is { } target)
        {
            Memory.Prefetch(target, HotBytes);
        }

        if (left > 2)
        {
            TargetOf(events + (2 * s_eventBytes))?.PrefetchReader();
        }
    }

    private IEpollTarget? TargetOf(byte* epollEvent)
    {
        ulong data = *(ulong*)(epollEvent + s_dataOffset);
        return data == WakeData ? null : Volatile.Read(ref _slots)[(uint)data].Target;
    }

    /// <summary>
    /// Runs the items that are queued now. Items that those queue run after the next events, so that neither starves the other.
    /// </summary>
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
                Report(e); // a fault of the item, which anywhere else the thread pool would report
            }
        }
    }

    private void ServeNewcomers()
    {
        for (int left = Math.Min(_newcomers.Count, MaxNewcomers); left > 0; left--)
        {
            IEpollTarget target = _newcomers.Dequeue();
            try
            {
                target.OnDeferred();
            }
            catch (Exception e)
            {
                Fail(target, e); // as for an event
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
            return LinuxErrors.NoMemory; // the system allows no more threads; the next target tries again
        }
    }

    private bool TryEnd()
    {
        lock (_gate)
        {
            if (_targets > 0 || _work.Count > 0 || _later.Count > 0 || _newcomers.Count > 0)
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
