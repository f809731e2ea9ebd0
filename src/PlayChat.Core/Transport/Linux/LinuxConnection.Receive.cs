using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;
using PlayChat.Core.Buffers;

namespace PlayChat.Core.Transport.Linux;

// Receiving. Waiting for data is the hot path: the loop calls the reader directly. For who awaits, the link itself is the awaitable.
internal sealed partial class LinuxConnection
{
    /// <summary>How much of a link handling an event touches; <see cref="PrefetchReader"/> follows a little later.</summary>
    internal const int HotBytes = 192;

    private const int HotReaderBytes = 320; // and a batch, of the connection

    private static readonly Action<object?> s_execute = static reader => ((IThreadPoolWorkItem)reader!).Execute();

    private bool CanReceive => _readable.IsReady || Volatile.Read(ref _hasEnded);

    /// <inheritdoc/>
    public override ValueTask WaitForDataAsync() => CanReceive ? ValueTask.CompletedTask : new ValueTask(this, 0);

    /// <inheritdoc/>
    public bool TryWaitForData(IThreadPoolWorkItem reader)
    {
        if (CanReceive || !_readable.TryAwait(s_execute, reader))
        {
            return false;
        }

        Watch(); // see OnCompleted
        return true;
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        int received = TryReceive(buffer.Span);
        return received != WouldBlock
            ? new ValueTask<int>(received)
            : (_pendingReceive ??= new PendingReceive(this)).Start(buffer);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) =>
        CanReceive ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (flags != ValueTaskSourceOnCompletedFlags.None)
        {
            (continuation, state) = CapturedContinuation.Create(continuation, state, flags);
        }

        if (_readable.TryAwait(continuation, state))
        {
            Watch(); // not before: the first event finds who waits, so that a link is on its loop from its first byte on
        }
        else
        {
            // Not from here: whoever asks may hold a lock, or come back with the next wait.
            ThreadPool.UnsafeQueueUserWorkItem(continuation, state, preferLocal: false);
        }
    }

    void IValueTaskSource.GetResult(short token)
    {
        // What there is to see, the receive that follows sees.
    }

    /// <summary>Has the processor fetch who waits for the event that comes soon.</summary>
    internal void PrefetchReader()
    {
        if (_readable.Argument is { } reader)
        {
            Memory.Prefetch(reader, HotReaderBytes);
        }
    }

    /// <summary>Receives what is there.</summary>
    /// <returns>Bytes, 0 at the end, or <see cref="WouldBlock"/>.</returns>
    private unsafe int TryReceive(Span<byte> buffer)
    {
        _readable.Clear();
        nint received = WouldBlock;
        int error = LinuxErrors.Disposed;
        Interlocked.Exchange(ref _receiving, 1); // a full fence: either this sees that it is disposed, or Dispose sees this
        if (_disposed == 0)
        {
            do
            {
                fixed (byte* start = buffer)
                {
                    received = Libc.Receive(_fd, start, buffer.Length, 0);
                }

                error = received < 0 ? Marshal.GetLastPInvokeError() : 0;
            }
            while (error == LinuxErrors.Interrupted);
        }

        Volatile.Write(ref _receiving, 0);
        if (received == buffer.Length)
        {
            _readable.Keep(); // there may be more; less than was asked for is all
        }
        else if (received <= 0)
        {
            return ReceivedNothing(received, error);
        }

        return (int)received;
    }

    private int ReceivedNothing(nint received, int error)
    {
        if (received < 0 && error == LinuxErrors.WouldBlock)
        {
            return WouldBlock;
        }

        // A send under way may have taken the socket's error, and all that is left to receive is an end without one: it notes its own first.
        WaitUntilOver(ref _sending);
        SetEnd(LinuxErrors.ToCloseReason(error));
        Volatile.Write(ref _hasEnded, true);
        return 0;
    }

    private void WakeReceiver(ReadinessWaiter waiter)
    {
        switch (waiter)
        {
            case ReadinessWaiter.Continuation:
                _readable.Continue();
                break;
            case ReadinessWaiter.Operation:
                _pendingReceive!.Continue();
                break;
            default:
                break;
        }
    }

    /// <summary>The receive that waits with its buffer.</summary>
    private sealed class PendingReceive(LinuxConnection link) : IValueTaskSource<int>
    {
        private ManualResetValueTaskSourceCore<int> _source;
        private Memory<byte> _buffer;

        int IValueTaskSource<int>.GetResult(short token)
        {
            int result = _source.GetResult(token);
            _source.Reset();
            return result;
        }

        ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _source.GetStatus(token);

        void IValueTaskSource<int>.OnCompleted(
            Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _source.OnCompleted(continuation, state, token, flags);

        internal ValueTask<int> Start(Memory<byte> buffer)
        {
            _buffer = buffer;
            var task = new ValueTask<int>(this, _source.Version);
            link.Watch();
            if (!link._readable.TryArm())
            {
                Continue();
            }

            return task;
        }

        internal void Continue()
        {
            int received;
            do
            {
                received = link.TryReceive(_buffer.Span);
            }
            while (received == WouldBlock && !link._readable.TryArm());

            if (received != WouldBlock)
            {
                _buffer = default;
                _source.SetResult(received);
            }
        }
    }
}
