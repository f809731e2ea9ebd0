using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace PlayChat.Transport.Linux;

/// <summary>Accepts TCP connections and hands them to the loops in turn. The system's own backlog is the only queue.</summary>
internal sealed class LinuxListener : TransportListener, IEpollTarget, IValueTaskSource
{
    // Links that are accepted in one go. The rest of a rush is accepted on the thread pool, while the loop serves the first ones.
    private const int MaxRun = 16;

    private readonly LinuxTransport _transport;
    private readonly EpollLoop _loop;
    private readonly int _fd;
    private readonly object _gate = new();
    private Readiness _acceptable;
    private readonly ILogger _logger;
    private bool _disposed; // guarded by _gate, like every call with the file
    private Exception? _fault; // why the listener ended, until an accept reports it
    private int _run;

    private LinuxListener(LinuxTransport transport, EpollLoop loop, int fd, ILogger logger)
    {
        _logger = logger;
        _transport = transport;
        _loop = loop;
        _fd = fd;
        EndPoint = LinuxSocket.GetLocalEndPoint(fd)!;
    }

    public override EndPoint EndPoint { get; }

    int IEpollTarget.Slot { get; set; } = -1;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))] // an accept for each link, one at a time
    public override async ValueTask<TransportConnection?> AcceptAsync()
    {
        while (true)
        {
            if (++_run > MaxRun)
            {
                _run = 0;
                await Task.Yield();
            }

            _acceptable.Clear();
            int fd = Accept(out RawAddress remote, out int error);
            if (fd >= 0)
            {
                return _transport.Open(fd, remote, _logger);
            }

            switch (LinuxErrors.ToSocketError(error))
            {
                case SocketError.NotSocket:
                    return Interlocked.Exchange(ref _fault, null) is { } fault
                        ? throw new IOException($"The listener on {EndPoint} has ended because of an exception on its event loop.", fault)
                        : null;
                case SocketError.WouldBlock:
                    _run = 0;
                    await new ValueTask(this, 0).ConfigureAwait(false);
                    break;
                case SocketError.Interrupted or SocketError.ConnectionAborted or SocketError.ConnectionReset:
                    // The peer gave up while it waited in the backlog. Nothing is lost; take the next one.
                    break;
                default:
                    SocketException e = LinuxErrors.ToException(error);
                    throw new IOException($"A connection on {EndPoint} could not be accepted: {e.Message}", e);
            }
        }
    }

    public override ValueTask DisposeAsync()
    {
        End();
        return ValueTask.CompletedTask;
    }

    void IEpollTarget.OnEvents(EpollEvents events)
    {
        if (_acceptable.Set() == ReadinessWaiter.Continuation)
        {
            _acceptable.Continue();
        }
    }

    void IEpollTarget.OnDeferred()
    {
        // A listener defers nothing: MaxRun bounds what one event costs.
    }

    void IEpollTarget.PrefetchReader()
    {
        // A listener has few events; fetching for them would push links out of the cache.
    }

    void IEpollTarget.Fail(Exception exception)
    {
        Volatile.Write(ref _fault, exception); // before the accept under way is woken, which reports it
        End();
        LinuxLog.ListenerFault(_logger, exception, EndPoint);
    }

    void IEpollTarget.Abort() => End();

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) =>
        _acceptable.IsReady ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (!_acceptable.TryAwait(continuation, state))
        {
            ThreadPool.UnsafeQueueUserWorkItem(continuation, state, preferLocal: false);
        }
    }

    void IValueTaskSource.GetResult(short token)
    {
        // A wait has no result; the accept that follows has one.
    }

    /// <exception cref="SocketException">The system refuses the address, or watching it.</exception>
    internal static LinuxListener Start(
        LinuxTransport transport, EpollLoop loop, EndPoint endPoint, TransportOptions options, ILogger logger)
    {
        if (endPoint is DescriptorEndPoint inherited)
        {
            // Not closed when this fails: the descriptor stays the caller's.
            LinuxSocket.TakeOver(inherited.Descriptor, options);
            return Watch(transport, loop, inherited.Descriptor, logger);
        }

        int fd = LinuxSocket.Create(endPoint, options);
        try
        {
            LinuxSocket.Listen(fd, (IPEndPoint)endPoint, options);
            return Watch(transport, loop, fd, logger);
        }
        catch
        {
            _ = Libc.Close(fd);
            throw;
        }
    }

    private static LinuxListener Watch(LinuxTransport transport, EpollLoop loop, int fd, ILogger logger)
    {
        var listener = new LinuxListener(transport, loop, fd, logger);
        int error = loop.Add(listener, fd, EpollEvents.Readable | EpollEvents.EdgeTriggered);
        return error == 0 ? listener : throw LinuxErrors.ToException(error);
    }

    /// <summary>Stops listening and wakes the accept under way.</summary>
    private void End()
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            _loop.Remove(this, _fd);
            _ = Libc.Close(_fd);
        }

        _transport.Forget(this);
        if (_acceptable.Set() == ReadinessWaiter.Continuation)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static listener => listener._acceptable.Continue(), this, preferLocal: false);
        }
    }

    private unsafe int Accept(out RawAddress remote, out int error)
    {
        RawAddress address = default;
        uint bytes = RawAddress.MaxBytes;
        int fd = -1;
        error = LinuxErrors.Disposed;
        lock (_gate)
        {
            if (!_disposed)
            {
                fd = Libc.Accept(_fd, &address, &bytes, Libc.NonBlocking | Libc.CloseOnExec);
                error = fd < 0 ? Marshal.GetLastPInvokeError() : 0;
            }
        }

        remote = address;
        return fd;
    }
}
