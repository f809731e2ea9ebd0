using System.Net;
using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport.Linux;

/// <summary>A TCP link over a non-blocking socket of its own, watched by one event loop.</summary>
/// <remarks>
/// A receive and a send are system calls of the thread that asks for them; only one that must wait goes through the loop. Its file is closed
/// by <see cref="TransportConnection.Dispose()"/> alone, and only while no thread is inside a system call with it, so its number cannot have become
/// somebody else's.
/// </remarks>
internal sealed partial class LinuxConnection : TransportConnection, IEpollTarget, IReadinessSource, IValueTaskSource
{
    private const int WouldBlock = -1;

    private readonly EpollLoop _loop;
    private readonly int _fd;
    private readonly RawAddress _remote;
    private readonly object _gate = new(); // held for what ends the link, and for its registration
    private EndPoint? _local;
    private int _endReason;
    private int _disposed;
    private bool _hasEnded; // an event has said so: receives give what is left, then the end, and never have to wait

    private Readiness _readable;
    private int _receiving; // 1 inside a system call
    private PendingReceive? _pendingReceive; // made at the first receive that waits with its buffer, which few ever do

    private Readiness _writable;
    private int _sending; // 1 inside a system call
    private PendingSend? _pendingSend; // made at the first send that has to wait

    internal LinuxConnection(EpollLoop loop, int fd, in RawAddress remote)
    {
        _loop = loop;
        _fd = fd;
        _remote = remote;
    }

    /// <inheritdoc/>
    public override EndPoint? RemoteEndPoint => _remote.ToEndPoint();

    /// <inheritdoc/>
    public override EndPoint? LocalEndPoint
    {
        get
        {
            lock (_gate)
            {
                return _local ??= _disposed == 0 ? LinuxSocket.GetLocalEndPoint(_fd) : null;
            }
        }
    }

    /// <inheritdoc/>
    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    /// <inheritdoc/>
    public override bool KnowsReadiness => true;

    int IEpollTarget.Slot { get; set; } = -1;

    /// <inheritdoc/>
    public override void Shutdown()
    {
        lock (_gate)
        {
            if (_disposed == 0)
            {
                // An error is the end of the link, which the receive under way reports.
                _ = Libc.Shutdown(_fd, Libc.ShutdownSend);
            }
        }
    }

    /// <inheritdoc/>
    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        lock (_gate)
        {
            if (_disposed == 0)
            {
                LinuxSocket.Reset(_fd); // and the loop hears of it: what is under way ends there
            }
        }
    }

    void IEpollTarget.OnEvents(EpollEvents events)
    {
        if ((events & EpollEvents.Ended) != EpollEvents.None)
        {
            Volatile.Write(ref _hasEnded, true);
        }

        // Every event says what is so at the moment: most say once more that the link can be written.
        if ((events & (EpollEvents.Writable | EpollEvents.Error | EpollEvents.HangUp)) != EpollEvents.None
            && !_writable.IsReady)
        {
            WakeSender(_writable.Set());
        }

        if ((events & (EpollEvents.Readable | EpollEvents.Ended)) != EpollEvents.None)
        {
            WakeReceiver(_readable.Set());
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
        {
            return;
        }

        lock (_gate)
        {
            if (Interlocked.Exchange(ref _disposed, 1) != 0)
            {
                return;
            }

            SetEnd(CloseReason.LocalClose);
            _loop.Remove(this);
        }

        // Not through Abort: a link that both sides have finished needs no reset.
        WaitUntilOver(ref _receiving);
        WaitUntilOver(ref _sending);
        _ = Libc.Close(_fd);
        EndWaiting();
    }

    /// <summary>Waits until no thread is inside a system call. The calls do not block, so neither does this.</summary>
    private static void WaitUntilOver(ref int call)
    {
        SpinWait wait = default;
        while (Volatile.Read(ref call) != 0)
        {
            wait.SpinOnce(sleep1Threshold: -1); // no sleep: this may be a loop's thread
        }
    }

    /// <summary>No event comes any more, so what still waits, or is about to, ends by itself.</summary>
    private void EndWaiting()
    {
        Volatile.Write(ref _hasEnded, true);
        ReadinessWaiter receiver = _readable.Set();
        ReadinessWaiter sender = _writable.Set();
        if (receiver != ReadinessWaiter.None || sender != ReadinessWaiter.None)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static ended =>
                {
                    ended.Link.WakeSender(ended.Sender);
                    ended.Link.WakeReceiver(ended.Receiver);
                },
                (Link: this, Sender: sender, Receiver: receiver),
                preferLocal: false);
        }
    }

    /// <summary>Notes why the link ended; the first reason stays.</summary>
    private void SetEnd(CloseReason reason)
    {
        if (_endReason == (int)CloseReason.None)
        {
            Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
        }
    }

    /// <summary>Has the loop watch the link: not before somebody waits, so no event comes that nobody would see.</summary>
    private void Watch()
    {
        if (((IEpollTarget)this).Slot >= 0)
        {
            return;
        }

        int error = 0;
        lock (_gate)
        {
            if (_disposed == 0)
            {
                error = _loop.Add(
                    this, _fd, EpollEvents.Readable | EpollEvents.Writable | EpollEvents.PeerHangUp | EpollEvents.EdgeTriggered);
            }
        }

        if (error != 0)
        {
            // No memory, no thread or no watches left: it cannot be waited for, so it ends.
            SetEnd(LinuxErrors.ToCloseReason(error));
            Abort();
            EndWaiting();
        }
    }
}
