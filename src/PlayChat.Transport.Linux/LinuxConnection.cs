using Microsoft.Extensions.Logging;
using PlayChat.Core;

namespace PlayChat.Transport.Linux;

/// <summary>A TCP link over a non-blocking socket, watched by one event loop.</summary>
/// <remarks>
/// <para>
/// Owns the socket and the end of the link. <see cref="ReceiveHalf"/> and <see cref="SendHalf"/> own one direction each. The thread that
/// asks for a receive or send makes the system call; only an operation that has to wait goes through the loop.
/// </para>
/// <para>
/// Invariant: the file is closed once, by <see cref="TransportConnection.Dispose()"/>, and only while no thread is inside a system call
/// with it. Its number therefore cannot belong to a newer link while this one uses it.
/// </para>
/// </remarks>
internal sealed class LinuxConnection : TransportConnection, IEpollTarget, IValueTaskSource
{
    // An accepted link is a newcomer until the peer has sent something this often: long enough to log in, or to be closed for what it
    // sent. Its events wait for those of established links, so that a flood of new links does not delay these.
    private const int NewcomerEvents = 4;

    private readonly EpollLoop _loop;
    private readonly ILogger _logger;
    private readonly int _fd;
    private readonly RawAddress _remote;
    private readonly object _gate = new(); // held to end the link, and to register it with the loop
    private EndPoint? _local;
    private int _endReason;
    private bool _isDisposed; // guarded by _gate; the halves read it inside their call guard
    private int _newcomerEvents; // readable events until the link is established; used by the loop's thread only, like the next
    private EpollEvents _deferred; // events of a newcomer that waits to be served
    private bool _hasEnded; // set by an event: a receive then returns what is left, then the end, and never waits
    private ReceiveHalf _receiveHalf;
    private SendHalf _sendHalf;

    internal LinuxConnection(EpollLoop loop, int fd, in RawAddress remote, ILogger logger, bool isNewcomer = false)
    {
        _newcomerEvents = isNewcomer ? NewcomerEvents : 0;
        _loop = loop;
        _fd = fd;
        _remote = remote;
        _logger = logger;
    }

    public override EndPoint? RemoteEndPoint => _remote.ToEndPoint();

    public override EndPoint? LocalEndPoint
    {
        get
        {
            lock (_gate)
            {
                return _local ??= !_isDisposed ? LinuxSocket.GetLocalEndPoint(_fd) : null;
            }
        }
    }

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override bool KnowsReadiness => true;

    int IEpollTarget.Slot { get; set; } = -1;

    /// <summary>The socket. A half uses it only inside its call guard, after it has seen that <see cref="IsDisposed"/> is false.</summary>
    internal int Fd => _fd;

    internal bool IsDisposed => _isDisposed;

    /// <summary>The receiving direction, for the receive that waits.</summary>
    internal ref ReceiveHalf ReceiveHalf => ref _receiveHalf;

    /// <summary>The sending direction, for the send that waits.</summary>
    internal ref SendHalf SendHalf => ref _sendHalf;

    private bool CanReceive => _receiveHalf.IsReady || Volatile.Read(ref _hasEnded);

    public override ValueTask WaitForDataAsync() => CanReceive ? ValueTask.CompletedTask : new ValueTask(this, 0);

    public override bool? TryWaitForData(IThreadPoolWorkItem reader) => !CanReceive && _receiveHalf.TryWait(this, reader);

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _receiveHalf.ReceiveAsync(this, buffer);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer) => _sendHalf.SendAsync(this, buffer);

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) => _sendHalf.SendAsync(this, buffers);

    public override void Shutdown()
    {
        lock (_gate)
        {
            if (!_isDisposed)
            {
                // An error means that the link has ended, which the receive under way reports.
                _ = Libc.Shutdown(_fd, Libc.ShutdownSend);
            }
        }
    }

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        lock (_gate)
        {
            if (!_isDisposed)
            {
                LinuxSocket.Reset(_fd); // the loop receives an event for it, and ends the operations under way
            }
        }
    }

    void IEpollTarget.OnEvents(EpollEvents events)
    {
        if (_newcomerEvents == 0)
        {
            Handle(events);
            return;
        }

        if (_deferred == EpollEvents.None)
        {
            _loop.Defer(this);
        }

        _deferred |= events;
    }

    void IEpollTarget.OnDeferred()
    {
        EpollEvents events = _deferred;
        _deferred = EpollEvents.None;
        if ((events & EpollEvents.Readable) != EpollEvents.None)
        {
            _newcomerEvents--;
        }

        Handle(events);
    }

    void IEpollTarget.PrefetchReader() => _receiveHalf.PrefetchReader();

    void IEpollTarget.Fail(Exception exception)
    {
        SetEnd(CloseReason.TransportFault);
        Abort();
        LinuxLog.LinkFault(_logger, exception, RemoteEndPoint);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) =>
        CanReceive ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _receiveHalf.OnCompleted(this, continuation, state, flags);

    void IValueTaskSource.GetResult(short token)
    {
        // A wait has no result; the receive that follows reports data, end or error.
    }

    /// <summary>Completes when a connect that is under way has an outcome; see <see cref="Libc.TakeError"/>.</summary>
    internal ValueTask<bool> WaitForConnectAsync() => _sendHalf.WaitForConnectAsync(this);

    /// <summary>Notes why the link ended; the first reason stays.</summary>
    internal void SetEnd(CloseReason reason)
    {
        if (_endReason == (int)CloseReason.None)
        {
            Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
        }
    }

    /// <summary>From now on a receive never waits.</summary>
    internal void MarkEnded() => Volatile.Write(ref _hasEnded, true);

    /// <summary>Registers the link with its loop. The halves call it when an operation waits, so that every event finds a waiter.</summary>
    internal void Watch()
    {
        if (((IEpollTarget)this).Slot >= 0)
        {
            return;
        }

        int error = 0;
        lock (_gate)
        {
            if (!_isDisposed)
            {
                error = _loop.Add(
                    this, _fd, EpollEvents.Readable | EpollEvents.Writable | EpollEvents.PeerHangUp | EpollEvents.EdgeTriggered);
            }
        }

        if (error != 0)
        {
            // The system has no memory, thread or watch left. Nothing would wake the operation, so the link ends.
            SetEnd(LinuxErrors.ToCloseReason(error));
            Abort();
            EndWaiting();
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
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            Interlocked.MemoryBarrier(); // see CallGuard
            SetEnd(CloseReason.LocalClose);
            _loop.Remove(this);
        }

        // Not through Abort: a link that both sides have finished needs no reset.
        _receiveHalf.WaitUntilReturned();
        _sendHalf.WaitUntilReturned();
        _ = Libc.Close(_fd);
        EndWaiting();
    }

    private void Handle(EpollEvents events)
    {
        if ((events & EpollEvents.Ended) != EpollEvents.None)
        {
            MarkEnded();
        }

        // An event reports the link's whole state, so most of them repeat that the link can be written.
        if ((events & (EpollEvents.Writable | EpollEvents.Error | EpollEvents.HangUp)) != EpollEvents.None
            && !_sendHalf.IsReady)
        {
            _sendHalf.Wake(_sendHalf.SetReady());
        }

        if ((events & (EpollEvents.Readable | EpollEvents.Ended)) != EpollEvents.None)
        {
            _receiveHalf.Wake(_receiveHalf.SetReady());
        }
    }

    /// <summary>Ends the operations that wait, because no further event arrives for this link.</summary>
    private void EndWaiting()
    {
        MarkEnded();
        ReadinessWaiter receiver = _receiveHalf.SetReady();
        ReadinessWaiter sender = _sendHalf.SetReady();
        if (receiver != ReadinessWaiter.None || sender != ReadinessWaiter.None)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static ended =>
                {
                    ended.Link._sendHalf.Wake(ended.Sender);
                    ended.Link._receiveHalf.Wake(ended.Receiver);
                },
                (Link: this, Sender: sender, Receiver: receiver),
                preferLocal: false);
        }
    }
}
