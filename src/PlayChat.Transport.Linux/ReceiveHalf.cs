namespace PlayChat.Transport.Linux;

/// <summary>The receiving direction of a link, embedded in it.</summary>
/// <remarks>
/// Invariant: at most one wait or receive is under way, and <see cref="_readable"/> knows which of them an edge wakes. The loop calls
/// <see cref="SetReady"/> and <see cref="Wake"/>; the one reader calls everything else.
/// </remarks>
internal struct ReceiveHalf
{
    /// <summary>What a receive returns when there is nothing to receive yet.</summary>
    internal const int WouldBlock = -1;

    // The first bytes of the reader, a connection's receive loop: they have the fields that a batch reads first.
    private const int HotReaderBytes = 320;

    private static readonly Action<object?> s_execute = static reader => ((IThreadPoolWorkItem)reader!).Execute();

    private Readiness _readable;
    private CallGuard _call;
    private PendingReceive? _pending; // made at the first receive that waits with its buffer, which few links ever do

    internal readonly bool IsReady => _readable.IsReady;

    /// <summary>Executes the reader at the next edge.</summary>
    /// <returns><see langword="false"/> when there was an edge meanwhile: the caller continues at once.</returns>
    internal bool TryWait(LinuxConnection link, IThreadPoolWorkItem reader)
    {
        if (!_readable.TryAwait(s_execute, reader))
        {
            return false;
        }

        link.Watch(); // see OnCompleted
        return true;
    }

    /// <summary>Calls the continuation of an awaited wait at the next edge.</summary>
    internal void OnCompleted(LinuxConnection link, Action<object?> continuation, object? state, ValueTaskSourceOnCompletedFlags flags)
    {
        if (flags != ValueTaskSourceOnCompletedFlags.None)
        {
            (continuation, state) = CapturedContinuation.Create(continuation, state, flags);
        }

        if (_readable.TryAwait(continuation, state))
        {
            link.Watch(); // not before: the first event then finds a waiter, so that a link is on its loop from its first byte on
        }
        else
        {
            // Not from here: the caller may hold a lock, or come back with the next wait.
            ThreadPool.UnsafeQueueUserWorkItem(continuation, state, preferLocal: false);
        }
    }

    internal ValueTask<int> ReceiveAsync(LinuxConnection link, Memory<byte> buffer)
    {
        int received = TryReceive(link, buffer.Span);
        return received != WouldBlock
            ? new ValueTask<int>(received)
            : (_pending ??= new PendingReceive(link)).Start(buffer);
    }

    /// <summary>Notes an edge, or the end of the link.</summary>
    /// <returns>What waited; the caller then calls <see cref="Wake"/>.</returns>
    internal ReadinessWaiter SetReady() => _readable.Set();

    internal readonly void Wake(ReadinessWaiter waiter)
    {
        switch (waiter)
        {
            case ReadinessWaiter.Continuation:
                _readable.Continue();
                break;
            case ReadinessWaiter.Operation:
                _pending!.Continue();
                break;
            default:
                break;
        }
    }

    /// <summary>Fetches the waiting reader into the processor's cache, because its event is next.</summary>
    internal readonly void PrefetchReader()
    {
        if (_readable.Argument is { } reader)
        {
            Memory.Prefetch(reader, HotReaderBytes);
        }
    }

    internal readonly void WaitUntilReturned() => _call.WaitUntilLeft();

    /// <summary>Continues a waiting receive at the next edge; see <see cref="Readiness.TryArm"/>.</summary>
    internal bool TryArm() => _readable.TryArm();

    /// <summary>Receives what is there.</summary>
    /// <returns>The number of bytes, 0 at the end, or <see cref="WouldBlock"/>.</returns>
    internal unsafe int TryReceive(LinuxConnection link, Span<byte> buffer)
    {
        _readable.Clear();
        nint received = WouldBlock;
        int error = LinuxErrors.Disposed;
        _call.Enter();
        if (!link.IsDisposed)
        {
            do
            {
                fixed (byte* start = buffer)
                {
                    received = Libc.Receive(link.Fd, start, buffer.Length, 0);
                }

                error = received < 0 ? Marshal.GetLastPInvokeError() : 0;
            }
            while (error == LinuxErrors.Interrupted);
        }

        _call.Leave();
        if (received == buffer.Length)
        {
            _readable.Keep(); // a full buffer may have left more behind; a partly filled one has not
        }
        else if (received <= 0)
        {
            return ReceivedNothing(link, received, error);
        }

        return (int)received;
    }

    private static int ReceivedNothing(LinuxConnection link, nint received, int error)
    {
        if (received < 0 && error == LinuxErrors.WouldBlock)
        {
            return WouldBlock;
        }

        // A send under way may have taken the socket's error, so that this receive sees an end without one. That send notes its error
        // before it returns, and the first reason stays.
        link.SendHalf.WaitUntilReturned();
        link.SetEnd(LinuxErrors.ToCloseReason(error));
        link.MarkEnded();
        return 0;
    }
}
