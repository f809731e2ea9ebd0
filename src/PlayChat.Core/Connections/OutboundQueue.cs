namespace PlayChat.Core.Connections;

/// <summary>The outbound queue of one peer: its frames, its limits, and whether the connection accepts more frames.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in its owner so that it costs no cache line of its own: never copy it. Thread-safe by its gate.</para>
/// <para>Invariants, each true whenever the gate is free:</para>
/// <list type="bullet">
/// <item>
/// <c>_sending</c> is true while exactly one thread, or one operation of the link, is the send loop. Only the send loop takes batches out.
/// </item>
/// <item>
/// <c>_bytes</c> counts the bytes of <c>_pending</c>, of <c>_latest</c> and of the send under way. <c>_corkedBytes</c> counts the bytes
/// that the batch's thread has written since it corked.
/// </item>
/// <item>While <c>_corked</c> is set no new send begins: the answers of the batch go out before frames that were queued meanwhile.</item>
/// <item>
/// <c>_latest</c> exists only while <c>_sending</c> or <c>_corked</c> is set. The code that ends both also takes <c>_latest</c>, so
/// the usual path does not check it.
/// </item>
/// <item><c>_state</c> only rises, and frames are taken only while it is <see cref="ConnectionState.Open"/>.</item>
/// </list>
/// </remarks>
/// <param name="services">Bounds, memory and counters.</param>
/// <param name="gate">Locked by this queue alone; its owner may give itself.</param>
internal struct OutboundQueue(ConnectionServices services, object gate)
{
    // Usual answers to what a turn receives.
    private const int MaxHeldBytes = 64 * 1024;

    // So small a part of the queue leaves room for what is sent meanwhile. When more waits, a peer is behind.
    private const int LittlePart = 16;

    private readonly ConnectionServices _services = services;
    private readonly object _gate = gate;
    private readonly int _maxBytes = services.Options.MaxOutboundBytes; // read for each frame: here, so that it costs no further cache line
    private OutboundBatch? _pending;
    private LatestFrames? _latest;
    private TaskCompletionSource? _waiting; // completes at the queue's next change
    private volatile ConnectionState _state;
    private volatile bool _corked; // set by the batch's thread without the gate, cleared by it under the gate
    private bool _sending;
    private bool _shutdown; // the link has been told that nothing more is sent
    private int _droppedBytes; // bytes of queued frames that will not be sent, because the connection has ended
    private int _bytes;
    private int _corkedBytes; // written by the batch's thread
    private int _usualBytes = 1024; // what the last send held: a hint for the next piece of memory

    internal readonly ConnectionState State => _state;

    /// <summary>Bytes that wait to be sent, without corked ones.</summary>
    internal int Bytes => Volatile.Read(ref _bytes);

    /// <summary>The same, and after the end the bytes that were dropped by it.</summary>
    /// <remarks>
    /// For operators, and without the gate, so that listing sessions makes no send wait. While the connection ends, the dropped bytes may
    /// count twice for a moment. When the connection has ended, the sum is exact.
    /// </remarks>
    internal int UnsentBytes => Volatile.Read(ref _bytes) + Volatile.Read(ref _droppedBytes);

    /// <summary>The same, with corked ones.</summary>
    internal int AllBytes => Volatile.Read(ref _bytes) + _corkedBytes;

    /// <summary>How many bytes may wait to be sent (<see cref="ConnectionOptions.MaxOutboundBytes"/>).</summary>
    internal readonly int MaxBytes => _maxBytes;

    internal readonly bool IsCorked => _corked;

    /// <summary>Whether the batch's answers are to be sent before its next frame is handled.</summary>
    internal readonly bool IsCorkFull => _corkedBytes > _maxBytes / 2;

    /// <summary>Whether frames wait that a corked batch has not put behind its own answers yet.</summary>
    internal bool HasPending => Volatile.Read(ref _pending) is not null;

    /// <summary>Whether something waits for the queue to drain.</summary>
    internal bool HasWaiters => Volatile.Read(ref _waiting) is not null;

    /// <summary>Whether frames that were queued have been dropped, because the connection has ended.</summary>
    internal bool HasDropped => Volatile.Read(ref _droppedBytes) > 0;

    /// <summary>How much the next send is likely to hold.</summary>
    internal readonly int UsualBytes => _usualBytes;

    /// <summary>Whether so much waits that the peer must read before more of its frames are handled.</summary>
    internal bool IsHalfFull => Volatile.Read(ref _bytes) > _maxBytes / 2;

    /// <summary>Whether a frame that may be dropped is dropped: a send is under way and much waits behind it.</summary>
    internal readonly bool IsBehind => _sending && _bytes + _corkedBytes > _maxBytes / LittlePart;

    /// <summary>
    /// Whether a frame of which only the newest counts may be one of the batch's answers: nothing is under way, and no older one waits
    /// beside the queue. Asked by the batch's thread.
    /// </summary>
    internal bool LatestEndsWithBatch => !Volatile.Read(ref _sending) && Volatile.Read(ref _latest) is null;

    /// <summary>Stops accepting frames.</summary>
    /// <returns>Whether the connection was open.</returns>
    internal bool TryClose()
    {
        lock (_gate)
        {
            if (_state != ConnectionState.Open)
            {
                return false;
            }

            _state = ConnectionState.Closing;
            return true;
        }
    }

    /// <summary>Ends the queue: nothing more is sent. The caller drops the queued frames by <see cref="Drop"/>.</summary>
    /// <returns>Whether the connection had not ended.</returns>
    internal bool TryEnd()
    {
        lock (_gate)
        {
            if (_state == ConnectionState.Ended)
            {
                return false;
            }

            _state = ConnectionState.Ended;
            return true;
        }
    }

    /// <summary>
    /// Whether a frame fits behind so many bytes. One that is larger than the bound still fits an empty queue, or it could never be sent.
    /// </summary>
    private readonly bool HasRoom(int queued, int bytes) => queued == 0 || queued + bytes <= _maxBytes;

    /// <summary>Whether a frame is taken behind all that waits. Asked under the gate, or by the batch's thread for an answer.</summary>
    internal bool Fits(int bytes) => _state == ConnectionState.Open && HasRoom(AllBytes, bytes);

    /// <summary>How many bytes a run of frames may have that begins with one of so many; 0 if that frame does not fit.</summary>
    internal int RoomForRun(int firstBytes)
    {
        int queued = AllBytes;
        return HasRoom(queued, firstBytes) ? Math.Max(firstBytes, _maxBytes - queued) : 0;
    }

    /// <summary>
    /// Takes room for one frame. The gate stays locked until <see cref="EndFrame"/> or <see cref="AbandonFrame"/>, unless this fails.
    /// </summary>
    /// <returns>Whether there is room.</returns>
    internal bool TryBeginFrame(int bytes, out Span<byte> frame)
    {
        Monitor.Enter(_gate);
        try
        {
            if (Fits(bytes))
            {
                frame = (_pending ??= OutboundBatch.Rent()).GetSpan(bytes, _services, _usualBytes);
                return true;
            }
        }
        catch
        {
            Monitor.Exit(_gate); // no memory
            throw;
        }

        Monitor.Exit(_gate);
        frame = default;
        return false;
    }

    /// <summary>Queues the frame that <see cref="TryBeginFrame"/> began.</summary>
    internal NextSend EndFrame(int bytes, bool flush)
    {
        _pending!.Advance(bytes);
        _bytes += bytes;
        bool start = flush && BeginSending();
        Monitor.Exit(_gate);
        return start ? NextSend.Queued : NextSend.None;
    }

    /// <summary>Abandons the frame that <see cref="TryBeginFrame"/> began.</summary>
    internal readonly void AbandonFrame() => Monitor.Exit(_gate);

    /// <summary>Queues frames that other connections send as well, unless they can be sent as they are.</summary>
    /// <returns>Whether they fit.</returns>
    internal bool TryAddShared(Segment segment, int start, int bytes, int frames, bool flush, out NextSend next)
    {
        lock (_gate)
        {
            return AddShared(segment, start, bytes, frames, flush, out next);
        }
    }

    /// <summary>Queues shared frames, some of which may be dropped or replaced.</summary>
    /// <param name="frames">In order.</param>
    /// <param name="loose">Which of them may be lost, in order.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes them along.</param>
    /// <param name="losses">The number of frames that were refused, dropped or replaced.</param>
    internal NextSend AddLoose(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, bool flush, out Losses losses)
    {
        losses = default;
        NextSend next = NextSend.None;
        lock (_gate)
        {
            if (!loose.IsEmpty && (_sending || _corked || !Fits(frames.Bytes)))
            {
                AddBehind(in frames, loose, ref losses);
                if (!_sending && !_corked)
                {
                    QueueLatest();
                    next = flush && BeginSending() ? NextSend.Queued : NextSend.None;
                }
            }
            else if (!AddShared(frames.Segment, frames.Start, frames.Bytes, frames.Frames, flush, out next))
            {
                losses.Refused = frames.Frames; // with nothing under way, all of them are like any other
            }
        }

        return next;
    }

    /// <summary>Makes the caller the send loop if something is queued and no send is under way.</summary>
    internal NextSend Flush()
    {
        lock (_gate)
        {
            return BeginSending() ? NextSend.Queued : NextSend.None;
        }
    }

    /// <summary>Takes the queued frames for the send loop. If there are none, the caller stops being the send loop.</summary>
    /// <param name="dropped">What is not sent any more, to be released.</param>
    /// <param name="waiting">What waits for a change of the queue, to be completed.</param>
    /// <param name="shutsDown">Everything is sent, and the caller must shut the link down: see <see cref="TryShutdown"/>.</param>
    internal OutboundBatch? TakeNext(out OutboundBatch? dropped, out TaskCompletionSource? waiting, out bool shutsDown)
    {
        dropped = null;
        shutsDown = false;
        lock (_gate)
        {
            if (_state == ConnectionState.Ended)
            {
                dropped = TakePending();
            }
            else if (!_corked)
            {
                QueueLatest();
            }

            OutboundBatch? batch = _corked || _pending is not { Bytes: > 0 } ? null : _pending;
            if (batch is null)
            {
                shutsDown = BeginShutdown();
                _sending = shutsDown;
            }
            else
            {
                _pending = null;
            }

            waiting = shutsDown ? null : TakeWaiting();
            return batch;
        }
    }

    /// <summary>Notes that a batch of <see cref="TakeNext"/> has been sent, or will never be.</summary>
    internal void OnSent(int bytes)
    {
        _usualBytes = Math.Min(bytes, SegmentPool.ReceiveBytes);
        lock (_gate)
        {
            _bytes -= bytes;
        }
    }

    /// <summary>The same for frames that were sent directly.</summary>
    /// <param name="bytes">How long they are.</param>
    /// <param name="sent">Whether they were sent.</param>
    /// <returns>Whether the caller stays the send loop and runs it, because frames were queued meanwhile.</returns>
    internal bool OnSentDirectly(int bytes, bool sent)
    {
        bool more;
        lock (_gate)
        {
            _bytes -= bytes;
            more = !sent || _pending is not null || _latest is not null || _waiting is not null || _state != ConnectionState.Open;
            _sending = more;
        }

        if (_usualBytes != bytes) // mostly the same: no write to a line that others read
        {
            _usualBytes = Math.Min(bytes, SegmentPool.ReceiveBytes);
        }

        return more;
    }

    /// <summary>
    /// Whether everything is sent, so that the caller must shut the link down and then call <see cref="EndShutdown"/>. True once. Until
    /// then a send is under way: the end of the connection waits for it, because a link that is disposed can say no more.
    /// </summary>
    internal bool TryShutdown()
    {
        lock (_gate)
        {
            if (_sending || !BeginShutdown())
            {
                return false;
            }

            _sending = true;
            return true;
        }
    }

    /// <summary>Notes that the link was shut down.</summary>
    /// <returns>What waits for a change of the queue, to be completed.</returns>
    internal TaskCompletionSource? EndShutdown()
    {
        lock (_gate)
        {
            _sending = false;
            return TakeWaiting();
        }
    }

    /// <summary>Removes all frames that no send has taken, and wakes the code that waits for a change of the queue.</summary>
    internal void Drop()
    {
        OutboundBatch? dropped;
        TaskCompletionSource? waiting;
        lock (_gate)
        {
            dropped = TakePending();
            waiting = TakeWaiting();
        }

        dropped?.Release(_services);
        waiting?.SetResult();
    }

    /// <summary>Whether more than so many bytes wait and the connection has not ended.</summary>
    /// <param name="bytes">The bound.</param>
    /// <param name="changed">Completes at the queue's next change.</param>
    internal bool MustWaitForRoom(int bytes, out Task changed)
    {
        lock (_gate)
        {
            return MustWait(_bytes + _corkedBytes > bytes && _state != ConnectionState.Ended, out changed);
        }
    }

    /// <summary>Whether a send is under way.</summary>
    /// <param name="changed">Completes at the queue's next change.</param>
    internal bool MustWaitForSend(out Task changed)
    {
        lock (_gate)
        {
            return MustWait(_sending, out changed);
        }
    }

    /// <summary>
    /// Notes that the batch's thread begins to answer. No lock is needed: a thread that this batch causes to send sees the flag, because
    /// the lock or the queue that causes it is a full fence. Other threads have no ordering guarantee and need none.
    /// </summary>
    internal void Cork() => _corked = true;

    /// <summary>Counts an answer that the batch's thread has written.</summary>
    internal void AddCorked(int bytes) => _corkedBytes += bytes;

    /// <summary>Takes the queued frames, so that a corked batch appends its answers to them.</summary>
    internal OutboundBatch? TakeForCork()
    {
        lock (_gate)
        {
            OutboundBatch? pending = _pending;
            _pending = null;
            return pending;
        }
    }

    /// <summary>Ends the cork if the answers can be sent as they are; the caller is the send loop then.</summary>
    internal bool TryUncorkDirectly()
    {
        lock (_gate)
        {
            if (_sending || _shutdown || _pending is not null || _latest is not null || _state == ConnectionState.Ended)
            {
                return false;
            }

            EndCork();
            _sending = true;
            return true;
        }
    }

    /// <summary>Ends the cork: the answers go out after the send under way, and before frames that were queued meanwhile.</summary>
    /// <param name="answers">May be none.</param>
    /// <param name="holds">Whether they wait for a flush, as long as no more than 64 KB and a sixteenth of the queue wait.</param>
    /// <param name="dropped">
    /// What will not be sent, to be released: the link has ended, or was shut down between the first answer and the cork.
    /// </param>
    internal NextSend Uncork(OutboundBatch? answers, bool holds, out OutboundBatch? dropped)
    {
        lock (_gate)
        {
            EndCork();
            if (answers is not null)
            {
                if (_pending is { } behind)
                {
                    answers.Append(behind); // counted when it was queued
                }

                _pending = answers;
            }

            dropped = _state == ConnectionState.Ended || _shutdown ? TakePending() : null;
            if (!_sending)
            {
                QueueLatest();
            }

            return (!holds || _bytes > Math.Min(MaxHeldBytes, _maxBytes / LittlePart)) && BeginSending() ? NextSend.Queued : NextSend.None;
        }
    }

    // From here on: under the gate.
    private void EndCork()
    {
        _corked = false;
        _bytes += _corkedBytes;
        _corkedBytes = 0;
    }

    private bool BeginShutdown()
    {
        if (_shutdown || _corked || _pending is { Bytes: > 0 } || _state != ConnectionState.Closing)
        {
            return false;
        }

        _shutdown = true;
        return true;
    }

    private bool BeginSending()
    {
        if (_sending || _corked || _pending is not { Bytes: > 0 })
        {
            return false;
        }

        _sending = true;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool AddShared(Segment segment, int start, int bytes, int frames, bool flush, out NextSend next)
    {
        bool fits = Fits(bytes);
        if (flush && fits && !_sending && !_corked && _pending is null && bytes > 0)
        {
            // Nearly always: nothing waits, so the frames go out as they are and are never queued.
            _sending = true;
            _bytes += bytes;
            next = NextSend.Direct;
            return true;
        }

        if (fits && bytes > 0) // a block whose first frame could not be written is empty
        {
            (_pending ??= OutboundBatch.Rent()).AddShared(segment, start, bytes, frames, _services);
            _bytes += bytes;
        }

        // Even if these frames do not fit, the frames before them have not been flushed.
        next = flush && BeginSending() ? NextSend.Queued : NextSend.None;
        return fits;
    }

    /// <summary>Queues frames behind the send under way, except those that are dropped because the peer is behind.</summary>
    private void AddBehind(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, ref Losses losses)
    {
        int at = frames.Start;
        int ordinal = frames.Ordinal;
        foreach (ref readonly LooseFrame frame in loose)
        {
            losses.Refused += AddRun(frames.Segment, at, frame.Start - at, frame.Ordinal - ordinal);
            at = frame.Start + frame.Bytes;
            ordinal = frame.Ordinal + 1;
            if (frame.Delivery.IsLatestOnly)
            {
                KeepLatest(frames.Segment, in frame, ref losses);
            }
            else if (IsBehind || AddRun(frames.Segment, frame.Start, frame.Bytes, 1) > 0)
            {
                losses.Skipped++;
            }
        }

        losses.Refused += AddRun(frames.Segment, at, frames.Start + frames.Bytes - at, frames.Ordinal + frames.Frames - ordinal);
    }

    /// <returns>How many frames do not fit.</returns>
    private int AddRun(Segment segment, int start, int bytes, int frames)
    {
        if (bytes == 0)
        {
            return 0;
        }

        if (!Fits(bytes))
        {
            return frames;
        }

        (_pending ??= OutboundBatch.Rent()).AddSome(segment, start, bytes, frames, _services);
        _bytes += bytes;
        return 0;
    }

    private void KeepLatest(Segment segment, in LooseFrame frame, ref Losses losses)
    {
        int older = _latest?.BytesOf(frame.Delivery.Key) ?? 0;
        if (_state != ConnectionState.Open || !HasRoom(_bytes + _corkedBytes - older, frame.Bytes))
        {
            losses.Refused++;
            return;
        }

        LatestFrames latest = _latest ??= LatestFrames.Rent();
        if (latest.Set(frame.Delivery.Key, segment, frame.Start, frame.Bytes, _services))
        {
            losses.Replaced++;
        }

        _bytes += frame.Bytes - older;
    }

    /// <summary>Moves the frames of <c>_latest</c> to the end of the queue.</summary>
    private void QueueLatest()
    {
        if (_latest is { } latest)
        {
            _latest = null;
            latest.MoveTo(_pending ??= OutboundBatch.Rent(), _services);
        }
    }

    /// <summary>Removes everything that will no longer be sent.</summary>
    private OutboundBatch? TakePending()
    {
        QueueLatest();
        OutboundBatch? pending = _pending;
        _pending = null;
        Volatile.Write(ref _droppedBytes, _droppedBytes + (pending?.Bytes ?? 0));
        Volatile.Write(ref _bytes, _bytes - (pending?.Bytes ?? 0)); // last: a thread without the gate may rely on the flag
        return pending;
    }

    private TaskCompletionSource? TakeWaiting()
    {
        TaskCompletionSource? waiting = _waiting;
        _waiting = null;
        return waiting;
    }

    private bool MustWait(bool condition, out Task changed)
    {
        changed = condition
            ? (_waiting ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task
            : Task.CompletedTask;
        return condition;
    }
}
