using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// The outbound queue. It gathers by itself: while a send is under way, what comes is appended and goes out with the next one.
public sealed partial class Connection
{
    private readonly object _sendGate = new(); // the one lock of a connection: guards its state as well; bodies that applications write in place are written under it
    private OutboundBatch? _pending; // guarded by _sendGate
    private bool _sending; // guarded by _sendGate; whoever set it runs the send loop
    private bool _shutdown; // guarded by _sendGate
    private int _outboundBytes; // written under _sendGate: queued and under way, without what is corked
    private TaskCompletionSource? _waiting; // guarded by _sendGate

    private int _lastSendBytes = 1024;

    /// <summary>Bytes that wait to be sent.</summary>
    internal int OutboundBytes => Volatile.Read(ref _outboundBytes);

    private bool InOwnBatch => ReferenceEquals(HandlerThread.Current.Connection, this);

    /// <summary>Queues what a room's turn made for all its members.</summary>
    /// <param name="segment">Held by the caller; kept by a hold of the queue's own as long as it is needed.</param>
    /// <param name="frames">How many frames it holds.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes it along.</param>
    internal bool SendShared(Segment segment, int frames, bool flush)
    {
        bool fits;
        bool direct;
        bool start;
        lock (_sendGate)
        {
            fits = QueueShared(segment, 0, segment.Written, frames, flush, out direct, out start);
        }

        if (direct)
        {
            SendDirect(segment, 0, segment.Written, frames);
        }
        else if (start)
        {
            SendPending();
        }

        return fits || OnFull(frames);
    }

    /// <summary>Under the gate. One of <paramref name="direct"/> and <paramref name="start"/> may be set, which the caller then does.</summary>
    /// <returns>Whether the frames fit.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool QueueShared(Segment segment, int begin, int bytes, int frames, bool flush, out bool direct, out bool start)
    {
        bool fits = Fits(bytes);
        direct = flush && fits && !_sending && !_corked && _pending is null && bytes > 0;
        if (direct)
        {
            // Nearly always: nothing waits, so the block goes out as it is and is never queued.
            _sending = true;
            _outboundBytes += bytes;
            start = false;
            return true;
        }

        if (fits && bytes > 0) // a block whose first frame could not be written is empty
        {
            (_pending ??= OutboundBatch.Rent()).AddShared(segment, begin, bytes, frames, _services);
            _outboundBytes += bytes;
        }

        // Even if this one does not fit: those before it have not been flushed.
        start = flush && TryBeginSending();
        return fits;
    }

    /// <summary>Has the processor fetch what a send needs first, without a wait. <see cref="PrefetchSending"/> follows a little later.</summary>
    internal void Prefetch() => Memory.Prefetch(this, bytes: 320);

    /// <summary>Has it fetch what the connection refers to.</summary>
    internal void PrefetchSending()
    {
        Memory.Prefetch(_sendGate, bytes: 64);
        Memory.Prefetch(_link, bytes: 192);
    }

    /// <summary>Sends what is queued, unless a send is under way, which then takes it along.</summary>
    internal void Flush()
    {
        bool start;
        lock (_sendGate)
        {
            start = TryBeginSending();
        }

        if (start)
        {
            SendPending();
        }
    }

    /// <summary>Takes room for a frame and writes its header.</summary>
    /// <returns>Where it is; <see cref="EndFrame"/> or <see cref="AbandonFrame"/> follows, unless that is nowhere.</returns>
    private FramePlace BeginFrame(FrameHeader header, int bodyBytes, out Span<byte> body)
    {
        RequireCarries(bodyBytes);
        FramePlace place = Reserve(_headerBytes + bodyBytes + _trailerBytes, out Span<byte> frame);
        if (place == FramePlace.None)
        {
            body = default;
            return place;
        }

        try
        {
            if (_headerBytes > 0)
            {
                _services.Format.WriteHeader(frame, header, bodyBytes);
            }

            if (_trailerBytes > 0)
            {
                _services.Format.WriteTrailer(frame.Slice(_headerBytes + bodyBytes, _trailerBytes));
            }

            body = frame.Slice(_headerBytes, bodyBytes);
            return place;
        }
        catch
        {
            // A codec of the application's: the gate must not stay locked.
            AbandonFrame(place);
            throw;
        }
    }

    /// <summary>Takes room for an encoded frame, at least as long as asked for.</summary>
    private FramePlace Reserve(int bytes, out Span<byte> frame)
    {
        HandlerThread thread = HandlerThread.Current;
        if (ReferenceEquals(thread.Connection, this))
        {
            return ReserveInBatch(thread, bytes, out frame);
        }

        Monitor.Enter(_sendGate);
        try
        {
            if (Fits(bytes))
            {
                frame = (_pending ??= OutboundBatch.Rent()).GetSpan(bytes, _services, _lastSendBytes);
                return FramePlace.Queue;
            }
        }
        catch
        {
            Monitor.Exit(_sendGate); // no memory
            throw;
        }

        Monitor.Exit(_sendGate);
        frame = default;
        return FramePlace.None;
    }

    private void RequireCarries(int bodyBytes)
    {
        if ((uint)bodyBytes > (uint)_services.Format.MaxBodyBytes)
        {
            ThrowTooLarge(bodyBytes);
        }
    }

    [DoesNotReturn]
    private void ThrowTooLarge(int bodyBytes) => throw new ArgumentException(
        $"A body of {bodyBytes} bytes does not fit this format: at most {_services.Format.MaxBodyBytes}.", nameof(bodyBytes));

    /// <summary>A format with a delimiter cannot carry every body. The others are not asked.</summary>
    private void RequireCarries(ReadOnlySpan<byte> body)
    {
        if (_trailerBytes > 0 && !_services.Format.CanCarry(body))
        {
            throw new ArgumentException($"The body contains what ends a frame in the format '{_services.Format.Name}'.", nameof(body));
        }
    }

    private bool EndFrame(FramePlace place, int bytes, bool flush)
    {
        if (place != FramePlace.Queue)
        {
            EndFrameInBatch(place, bytes);
            return true;
        }

        _pending!.Advance(bytes);
        _outboundBytes += bytes;
        bool start = flush && TryBeginSending();
        Monitor.Exit(_sendGate);
        if (start)
        {
            SendPending();
        }

        return true;
    }

    private void AbandonFrame(FramePlace place)
    {
        if (place == FramePlace.Queue)
        {
            Monitor.Exit(_sendGate);
        }
    }

    /// <summary>Whether a frame may be queued. Under the gate; what the receive loop has corked meanwhile counts as well.</summary>
    private bool Fits(int bytes) => _state == State.Open && HasRoom(_outboundBytes + _corkedBytes, bytes);

    /// <summary>A frame larger than the bound still fits an empty queue, or it could never be sent.</summary>
    private bool HasRoom(int queued, int bytes) => queued == 0 || queued + bytes <= _services.Options.MaxOutboundBytes;

    /// <summary>Does what the slow-consumer policy says.</summary>
    private bool OnFull(int frames = 1)
    {
        if (_state != State.Open)
        {
            return false;
        }

        if (_services.Options.SlowConsumer == SlowConsumerPolicy.DropNewest)
        {
            _services.Metrics.Add(Counter.FramesDropped, frames);
            return false;
        }

        _services.Metrics.Add(Counter.SlowConsumers);
        ConnectionLog.SlowConsumer(_services.Logger, Id, RemoteEndPoint, OutboundBytes + _corkedBytes);
        Abort(CloseReason.SlowConsumer);
        return false;
    }

    private bool TryBeginSending()
    {
        if (_sending || _corked || _pending is not { Bytes: > 0 })
        {
            return false;
        }

        _sending = true;
        return true;
    }

    private OutboundBatch? TakePending()
    {
        if (_latest is not null)
        {
            QueueLatest();
        }

        OutboundBatch? pending = _pending;
        _pending = null;
        _outboundBytes -= pending?.Bytes ?? 0;
        return pending;
    }

    private TaskCompletionSource? TakeWaiting()
    {
        TaskCompletionSource? waiting = _waiting;
        _waiting = null;
        return waiting;
    }

    private void DropPending()
    {
        OutboundBatch? dropped;
        TaskCompletionSource? waiting;
        lock (_sendGate)
        {
            dropped = TakePending();
            waiting = TakeWaiting();
        }

        dropped?.Release(_services);
        waiting?.SetResult();
    }

    private void ShutdownWhenSent()
    {
        lock (_sendGate)
        {
            if (_shutdown || _sending || _corked || _pending is { Bytes: > 0 } || _state != State.Closing)
            {
                return;
            }

            _shutdown = true;
        }

        _link.Shutdown();
    }

    /// <summary>Waits until at most so many bytes wait to be sent, or the link has ended.</summary>
    private async ValueTask WaitUntilQueuedAsync(int bytes, CancellationToken cancellationToken = default)
    {
        while (MustWait(() => _outboundBytes + _corkedBytes > bytes && _state != State.Ended, out Task sent))
        {
            await sent.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until no send is under way.</summary>
    private async ValueTask SendsEndedAsync()
    {
        while (MustWait(() => _sending, out Task sent))
        {
            await sent.ConfigureAwait(false);
        }
    }

    /// <summary>Looks at the queue under its gate; the task is for its next change.</summary>
    private bool MustWait(Func<bool> condition, out Task changed)
    {
        lock (_sendGate)
        {
            bool wait = condition();
            changed = wait
                ? (_waiting ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task
                : Task.CompletedTask;
            return wait;
        }
    }
}
