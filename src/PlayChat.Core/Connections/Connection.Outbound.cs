using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// The outbound queue. It gathers by itself: while a send is under way, what comes is appended and goes out with the next one.
// While the receive loop handles a batch ("corked"), its own frames are written without a lock, and nothing is sent until the
// batch ends; frames from elsewhere go behind them.
public sealed partial class Connection
{
    // A send loop whose sends keep completing at once gives its thread back after this many.
    private const int MaxSynchronousSends = 16;

    private readonly object _sendGate = new();
    private OutboundBatch? _pending; // guarded by _sendGate
    private bool _sending; // guarded by _sendGate; whoever set it runs the send loop
    private bool _corked; // guarded by _sendGate
    private bool _shutdown; // guarded by _sendGate
    private int _outboundBytes; // written under _sendGate: queued and under way, without what is corked
    private TaskCompletionSource? _waiting; // guarded by _sendGate

    private int _batchThread; // the thread that handles a batch; 0 between batches
    private OutboundBatch? _cork; // that thread's alone
    private int _corkStart;

    private OutboundBatch? _underWay; // the send loop's alone
    private ValueTask<bool> _send;
    private Action? _onSent;
    private int _lastSendBytes = 1024;

    /// <summary>Bytes that wait to be sent.</summary>
    internal int OutboundBytes => Volatile.Read(ref _outboundBytes);

    private bool InOwnBatch => _batchThread == Environment.CurrentManagedThreadId;

    /// <summary>Queues what a room's turn made for all its members.</summary>
    /// <param name="segment">Held by the caller; kept by a hold of the queue's own as long as it is needed.</param>
    /// <param name="frames">How many frames it holds.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes it along.</param>
    internal bool SendShared(Segment segment, int frames, bool flush)
    {
        bool fits;
        bool start;
        lock (_sendGate)
        {
            fits = Fits(segment.Written);
            if (fits && segment.Written > 0) // a block whose first frame could not be written is empty
            {
                (_pending ??= OutboundBatch.Rent()).AddShared(segment, frames, _services);
                _outboundBytes += segment.Written;
            }

            // Even if this one does not fit: those before it have not been flushed.
            start = flush && TryBeginSending();
        }

        if (start)
        {
            SendPending();
        }

        return fits || OnFull(frames);
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

    /// <summary>Takes room for a frame and writes its header. The gate is held afterwards, unless this is the batch's own thread.</summary>
    /// <returns><see langword="null"/> when it does not fit or the connection is ending: nothing is held then.</returns>
    private OutboundBatch? BeginFrame(FrameHeader header, int bodyBytes, out Span<byte> body)
    {
        int bytes = _headerBytes + bodyBytes + _trailerBytes;
        if ((uint)bodyBytes > (uint)_services.Format.MaxBodyBytes)
        {
            throw new ArgumentException(
                $"A body of {bodyBytes} bytes does not fit this format: at most {_services.Format.MaxBodyBytes}.", nameof(bodyBytes));
        }

        OutboundBatch? batch;
        if (InOwnBatch)
        {
            batch = _state == State.Open ? _cork ?? Cork() : null;
            if (batch is null || !HasRoom(Volatile.Read(ref _outboundBytes) + batch.Bytes - _corkStart, bytes))
            {
                body = default;
                return null;
            }
        }
        else
        {
            Monitor.Enter(_sendGate);
            if (!Fits(bytes))
            {
                Monitor.Exit(_sendGate);
                body = default;
                return null;
            }

            batch = _pending ??= OutboundBatch.Rent();
        }

        try
        {
            Span<byte> frame = batch.GetSpan(bytes, _services, _lastSendBytes);
            if (_headerBytes > 0)
            {
                _services.Format.WriteHeader(frame, header, bodyBytes);
            }

            if (_trailerBytes > 0)
            {
                _services.Format.WriteTrailer(frame.Slice(_headerBytes + bodyBytes, _trailerBytes));
            }

            body = frame.Slice(_headerBytes, bodyBytes);
            return batch;
        }
        catch
        {
            // A codec of the application's, or no memory: the gate must not stay locked.
            AbandonFrame(batch);
            throw;
        }
    }

    /// <summary>A format with a delimiter cannot carry every body. The others are not asked.</summary>
    private void RequireCarries(ReadOnlySpan<byte> body)
    {
        if (_trailerBytes > 0 && !_services.Format.CanCarry(body))
        {
            throw new ArgumentException($"The body contains what ends a frame in the format '{_services.Format.Name}'.", nameof(body));
        }
    }

    private bool EndFrame(OutboundBatch batch, int bodyBytes, bool flush)
    {
        int bytes = _headerBytes + bodyBytes + _trailerBytes;
        batch.Advance(bytes);
        if (ReferenceEquals(batch, _cork) && InOwnBatch)
        {
            return true;
        }

        _outboundBytes += bytes;
        bool start = flush && TryBeginSending();
        Monitor.Exit(_sendGate);
        if (start)
        {
            SendPending();
        }

        return true;
    }

    private void AbandonFrame(OutboundBatch batch)
    {
        if (!(ReferenceEquals(batch, _cork) && InOwnBatch))
        {
            Monitor.Exit(_sendGate);
        }
    }

    /// <summary>Whether a frame may be queued. Under the gate; what the receive loop has corked meanwhile counts as well.</summary>
    private bool Fits(int bytes)
    {
        int corked = _corked && _cork is { } cork ? cork.Bytes - _corkStart : 0;
        return _state == State.Open && HasRoom(_outboundBytes + corked, bytes);
    }

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
        ConnectionLog.SlowConsumer(_services.Logger, Id, RemoteEndPoint, OutboundBytes + (InOwnBatch && _cork is { } cork ? cork.Bytes - _corkStart : 0));
        Abort(CloseReason.SlowConsumer);
        return false;
    }

    private OutboundBatch? Cork()
    {
        lock (_sendGate)
        {
            if (_state != State.Open)
            {
                return null;
            }

            // What waits already goes first, so the batch writes on behind it.
            _cork = _pending ?? OutboundBatch.Rent();
            _pending = null;
            _corked = true;
            _corkStart = _cork.Bytes;
            return _cork;
        }
    }

    private void Uncork()
    {
        bool start;
        OutboundBatch? dropped = null;
        lock (_sendGate)
        {
            OutboundBatch cork = _cork!;
            _cork = null;
            _corked = false;
            _outboundBytes += cork.Bytes - _corkStart;
            if (_pending is { } behind)
            {
                cork.Append(behind); // came from elsewhere meanwhile, and was counted as it came
            }

            _pending = cork;
            if (_state == State.Ended)
            {
                dropped = TakePending();
            }

            start = TryBeginSending();
        }

        dropped?.Release(_services);
        if (start)
        {
            SendPending();
        }
        else if (_state == State.Closing)
        {
            ShutdownWhenSent();
        }
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

    /// <summary>The send loop. It runs where the first frame was flushed, goes on where a send completes, and ends when nothing waits.</summary>
    private void SendPending()
    {
        for (int round = 0; round < MaxSynchronousSends; round++)
        {
            OutboundBatch? batch = NextBatch();
            if (batch is null)
            {
                return;
            }

            _underWay = batch;
            List<ArraySegment<byte>> pieces = batch.Seal();
            bool sent;
            try
            {
                ValueTask<bool> send = pieces.Count == 1 ? _link.SendAsync(pieces[0].AsMemory()) : _link.SendAsync(pieces);
                if (!send.IsCompleted)
                {
                    _send = send;
                    send.GetAwaiter().UnsafeOnCompleted(_onSent ??= OnSent);
                    return;
                }

#pragma warning disable VSTHRD002 // it has completed
                sent = send.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
            }
            catch (Exception e)
            {
                // See OnSent: it must not reach whoever happened to send.
                ConnectionLog.SendFault(_services.Logger, e, Id);
                sent = false;
            }

            OnSent(sent);
        }

        ThreadPool.UnsafeQueueUserWorkItem(static connection => connection.SendPending(), this, preferLocal: false);
    }

    private void OnSent()
    {
        bool sent;
        try
        {
#pragma warning disable VSTHRD002 // it has completed: this is its continuation
            sent = _send.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        }
        catch (Exception e)
        {
            // A transport of somebody else's that throws: its fault ends this connection.
            ConnectionLog.SendFault(_services.Logger, e, Id);
            sent = false;
        }

        OnSent(sent);
        SendPending();
    }

    private void OnSent(bool sent)
    {
        OutboundBatch batch = _underWay!;
        _underWay = null;
        int bytes = batch.Bytes;
        if (sent)
        {
            _services.Metrics.Add(Counter.Sends);
            _services.Metrics.Add(Counter.BytesSent, bytes);
            _services.Metrics.Add(Counter.FramesSent, batch.Frames);
        }

        _lastSendBytes = Math.Min(bytes, SegmentPool.ReceiveBytes);
        batch.Release(_services);
        lock (_sendGate)
        {
            _outboundBytes -= bytes;
        }

        if (!sent)
        {
            CloseReason reason = _link.EndReason;
            Abort(reason == CloseReason.None ? CloseReason.TransportFault : reason);
        }
    }

    /// <summary>Takes what waits; without anything the send loop is over.</summary>
    private OutboundBatch? NextBatch()
    {
        OutboundBatch? batch;
        OutboundBatch? dropped = null;
        TaskCompletionSource? waiting;
        lock (_sendGate)
        {
            if (_state == State.Ended)
            {
                dropped = TakePending();
            }

            batch = _corked || _pending is not { Bytes: > 0 } ? null : _pending;
            if (batch is null)
            {
                _sending = false;
            }
            else
            {
                _pending = null;
            }

            waiting = TakeWaiting();
        }

        dropped?.Release(_services);
        waiting?.SetResult();
        if (batch is null && _state == State.Closing)
        {
            ShutdownWhenSent();
        }

        return batch;
    }

    private OutboundBatch? TakePending()
    {
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
        while (MustWait(() => _outboundBytes > bytes && _state != State.Ended, out Task sent))
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
