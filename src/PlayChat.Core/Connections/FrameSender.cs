namespace PlayChat.Core.Connections;

/// <summary>
/// The sending half of a connection: encodes frames into its queue, starts the send loop, and acts when the queue is full.
/// </summary>
/// <remarks>
/// <para>
/// Thread-safe. One object with its parts embedded, which is also the gate of the queue, so that a send touches few cache lines.
/// </para>
/// <para>
/// Invariant: whenever the queue returns a <see cref="NextSend"/> other than <see cref="NextSend.None"/>, this runs the send loop before it
/// returns to its caller. <see cref="Connection"/> documents the guarantees for callers.
/// </para>
/// </remarks>
internal sealed class FrameSender : ISendOwner, IThreadPoolWorkItem
{
    private readonly ConnectionServices _services;
    private readonly IConnectionControl _control;
    private readonly FrameLayout _layout;
    private OutboundQueue _queue;
    private SendLoop _loop;
    private AnswerCork _cork;
    private bool _holds; // whether answers of an earlier batch may be held; for the thread of the batch alone
    private volatile bool _hasRefused;

    internal FrameSender(TransportConnection link, ConnectionServices services, IConnectionControl control)
    {
        _services = services;
        _control = control;
        _layout = new FrameLayout(services.Format);
        _queue = new OutboundQueue(services, gate: this);
        _loop = new SendLoop(link, services, owner: this);
        _cork = new AnswerCork(services);
    }

    internal ConnectionState State => _queue.State;

    CloseReason ISendOwner.CloseReason => _control.CloseReason;

    internal int Bytes => _queue.Bytes;

    internal int UnsentBytes => _queue.UnsentBytes;

    internal int MaxBytes => _queue.MaxBytes;

    internal long BytesSent => _loop.BytesSent;

    internal long FramesSent => _loop.FramesSent;

    internal long WaitsSince => _loop.WaitsSince;

    /// <summary>Whether the peer has read nothing for so long, although something waits for it.</summary>
    /// <param name="ticks">How long, in ticks of the server's clock; <see cref="long.MaxValue"/> is never reached.</param>
    /// <param name="now">The present time.</param>
    internal bool HasNotReadFor(long ticks, long now) => now - _loop.WaitsSince >= ticks;

    /// <summary>
    /// Whether exactly so many frames were sent in all, nothing waits to be sent, and no frame was refused, dropped or failed.
    /// </summary>
    internal bool HasSentExactly(long frames) =>
        _queue.Bytes == 0 // first: frames that the queue no longer counts are in the count of sent frames
        && _loop.FramesSent == frames
        && !_loop.HasFailed
        && !_queue.HasDropped
        && !_hasRefused;

    /// <summary>Whether the batch that is being handled has answered.</summary>
    internal bool IsCorked => _queue.IsCorked;

    /// <summary>Says whether the next frame of the batch is handled now.</summary>
    /// <remarks>
    /// When many answers wait, the batch pauses and sends them first (<see cref="FrameVerdict.Pause"/>). A peer that requests much at once
    /// and reads the answers is therefore not a slow consumer.
    /// </remarks>
    internal FrameVerdict Verdict
    {
        get
        {
            if (_queue.State != ConnectionState.Open)
            {
                return FrameVerdict.Stop;
            }

            return _queue.IsCorkFull ? FrameVerdict.Pause : FrameVerdict.Continue;
        }
    }

    internal bool IsHalfFull => _queue.IsHalfFull;

    internal bool HasWaiters => _queue.HasWaiters;

    private bool InOwnBatch => ReferenceEquals(BatchContext.Current.Sender, this);

    private bool EndsWithBatch => InOwnBatch && _queue.LatestEndsWithBatch;

    internal bool Send(in Frame frame)
    {
        if (!_layout.TryGetEncoded(in frame, out int start, out int bytes))
        {
            return SendBody(in frame);
        }

        // A frame of the same format goes back to its sender without a copy.
        return (frame.Sink is BatchContext context && AnswerCork.TryRelay(ref _queue, context, this, start, bytes))
            || SendEncoded(in frame, start, bytes);
    }

    /// <summary>Sends a frame of the same format as it came, without a second look at its header.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)] // keeps the usual path above short
    private bool SendEncoded(in Frame frame, int start, int bytes)
    {
        FramePlace place = Reserve(bytes, out Span<byte> destination);
        if (place == FramePlace.None)
        {
            return OnFull();
        }

        frame.Encoded(start, bytes).CopyTo(destination);
        return EndFrame(place, bytes, flush: true);
    }

    /// <summary>Sends the content of a frame of another format.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)] // the same
    private bool SendBody(in Frame frame) =>
        frame.TryGetSpan(out ReadOnlySpan<byte> body)
            ? Send(body, frame.Header)
            : Enqueue(
                frame.Header, frame.BodyBytes, frame.Body, static (destination, sequence) => sequence.CopyTo(destination), flush: true);

    internal bool Send(ReadOnlySpan<byte> body, FrameHeader header) => TrySend(body, header) || OnFull();

    /// <summary>Sends one frame that the peer may lose, whose body is copied.</summary>
    internal bool Send(ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery)
    {
        if (!delivery.IsLatestOnly)
        {
            return (!_queue.IsBehind && TrySend(body, header)) || Skip();
        }

        if (EndsWithBatch)
        {
            return Send(body, header);
        }

        _layout.RequireCarries(body);
        Segment frame = _layout.Rent(_services.Pool, header, body.Length, out Span<byte> destination);
        body.CopyTo(destination);
        return SendLatest(frame, delivery, flush: true);
    }

    /// <summary>Queues one frame that is written in place.</summary>
    internal bool Enqueue<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, bool flush) =>
        TryEnqueue(header, bodyBytes, state, write, flush) || OnFull();

    /// <summary>Queues one frame that the peer may lose and that is written in place.</summary>
    internal bool Enqueue<TState>(
        FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery, bool flush)
    {
        if (!delivery.IsLatestOnly)
        {
            return (!_queue.IsBehind && TryEnqueue(header, bodyBytes, state, write, flush)) || Skip();
        }

        if (EndsWithBatch)
        {
            return Enqueue(header, bodyBytes, state, write, flush);
        }

        Segment frame = _layout.Rent(_services.Pool, header, bodyBytes, out Span<byte> destination);
        try
        {
            write(destination, state);
            _layout.RequireCarries(destination);
        }
        catch
        {
            frame.Release();
            throw;
        }

        return SendLatest(frame, delivery, flush);
    }

    internal ValueTask<bool> SendAsync(ReadOnlyMemory<byte> body, FrameHeader header, CancellationToken cancellationToken)
    {
        if (_services.Options.SlowConsumer != SlowConsumerPolicy.Wait)
        {
            return new ValueTask<bool>(Send(body.Span, header));
        }

        int bytes = _layout.BytesOf(body.Length);
        if (bytes > _queue.MaxBytes)
        {
            throw new ArgumentException(
                $"The frame has {bytes} bytes, but the outbound queue takes {_queue.MaxBytes}.", nameof(body));
        }

        return SendWhenRoomAsync(body, header, _queue.MaxBytes - bytes, cancellationToken);
    }

    /// <summary>Queues what a room's turn made for all its members.</summary>
    /// <param name="segment">Held by the caller; the queue adds a hold of its own as long as it needs the memory.</param>
    /// <param name="frames">How many frames it holds.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes it along.</param>
    internal bool SendShared(Segment segment, int frames, bool flush)
    {
        bool fits = _queue.TryAddShared(segment, 0, segment.Written, frames, flush, out NextSend next);
        if (next == NextSend.Direct)
        {
            _loop.SendDirect(ref _queue, segment, 0, segment.Written, frames);
        }
        else if (next == NextSend.Queued)
        {
            _loop.Run(ref _queue);
        }

        return fits || OnFull(frames);
    }

    /// <summary>Queues frames that other connections send as well, some of which this peer may lose.</summary>
    /// <param name="frames">In order.</param>
    /// <param name="loose">Which of them may be lost, in order.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes them along.</param>
    /// <returns>How many frames were taken.</returns>
    internal int SendShared(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, bool flush)
    {
        NextSend next = _queue.AddLoose(in frames, loose, flush, out Losses losses);
        if (next == NextSend.Direct)
        {
            _loop.SendDirect(ref _queue, frames.Segment, frames.Start, frames.Bytes, frames.Frames);
        }
        else if (next == NextSend.Queued)
        {
            _loop.Run(ref _queue);
        }

        return frames.Frames - Count(in losses);
    }

    /// <summary>Sends the queued frames. If a send is under way, the send loop takes them when that completes.</summary>
    internal void Flush()
    {
        if (_queue.Flush() != NextSend.None)
        {
            _loop.Run(ref _queue);
        }
    }

    /// <summary>Ends the batch's answers: they go out at once, or after the send under way, unless they are held.</summary>
    /// <param name="work">What became of the batch.</param>
    /// <param name="holds">Whether the answers wait for the next flush, as long as little waits.</param>
    /// <returns>Whether a send is under way that reads in the memory in which the batch was received.</returns>
    internal bool Uncork(in BatchContext.Work work, bool holds)
    {
        if (_holds != holds)
        {
            _holds = holds; // nearly always the same: no write
        }

        Segment? answers = work.Answers;
        if (answers is { Written: 0 })
        {
            answers.Release(); // its frame's writer threw
            answers = null;
        }

        if (!holds && (answers is not null || work.RunFrames > 0) && _queue.TryUncorkDirectly())
        {
            if (answers is null)
            {
                return !_loop.SendDirect(ref _queue, work.Inbound!, work.RunStart, work.RunEnd - work.RunStart, work.RunFrames);
            }

            _loop.SendDirect(ref _queue, answers, 0, answers.Written, work.Frames);
            answers.Release();
            return false;
        }

        NextSend next = _queue.Uncork(_cork.Take(answers, in work), holds, out OutboundBatch? dropped);
        dropped?.Release(_services);
        if (next != NextSend.None)
        {
            _loop.Run(ref _queue);
        }
        else if (_queue.State == ConnectionState.Closing)
        {
            _loop.ShutdownWhenSent(ref _queue);
        }

        return false;
    }

    /// <summary>Stops accepting frames. Call <see cref="ShutdownWhenSent"/> after it.</summary>
    internal bool TryClose() => _queue.TryClose();

    internal void ShutdownWhenSent() => _loop.ShutdownWhenSent(ref _queue);

    internal bool TryEnd() => _queue.TryEnd();

    internal void Drop() => _queue.Drop();

    /// <summary>Waits until at most so many bytes wait to be sent, or the connection has ended.</summary>
    internal async ValueTask WaitForRoomAsync(int bytes, CancellationToken cancellationToken = default)
    {
        while (_queue.MustWaitForRoom(bytes, out Task changed))
        {
            await changed.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    internal async ValueTask WaitForSendAsync()
    {
        while (_queue.MustWaitForSend(out Task changed))
        {
            await changed.ConfigureAwait(false);
        }
    }

    void ISendOwner.OnSendCompleted() => _loop.OnCompleted(ref _queue);

    void ISendOwner.SendLater() => LocalWork.QueueToPool(this);

    void IThreadPoolWorkItem.Execute() => _loop.Run(ref _queue);

    void ISendOwner.OnSendFailed(CloseReason reason) => _control.Abort(reason);

    void ISendOwner.OnSendFault(Exception exception) => ConnectionLog.SendFault(_services.Logger, exception, _control.Id);

    /// <summary>
    /// Takes room for a frame and writes what surrounds its body. <see cref="EndFrame"/> or <see cref="AbandonFrame"/> follows.
    /// </summary>
    private FramePlace BeginFrame(FrameHeader header, int bodyBytes, out Span<byte> body)
    {
        _layout.RequireCarries(bodyBytes);
        FramePlace place = Reserve(_layout.BytesOf(bodyBytes), out Span<byte> frame);
        if (place == FramePlace.None)
        {
            body = default;
            return place;
        }

        try
        {
            body = _layout.Write(frame, header, bodyBytes);
            return place;
        }
        catch
        {
            AbandonFrame(place); // an application's own codec threw: the gate must not stay locked
            throw;
        }
    }

    /// <summary>Takes room for an encoded frame, at least as long as asked for.</summary>
    private FramePlace Reserve(int bytes, out Span<byte> frame)
    {
        BatchContext context = BatchContext.Current;
        if (ReferenceEquals(context.Sender, this))
        {
            FramePlace place = _cork.Reserve(ref _queue, context, bytes, out frame);
            if (place == FramePlace.None && _holds)
            {
                // What is held takes the room. Without the hold it would have been sent before.
                SendAnswersSoFar(context);
                place = _cork.Reserve(ref _queue, context, bytes, out frame);
            }

            return place;
        }

        return _queue.TryBeginFrame(bytes, out frame) ? FramePlace.Queue : FramePlace.None;
    }

    /// <summary>Sends the answers of the batch that is being handled, and what was held before it. The batch continues.</summary>
    private void SendAnswersSoFar(BatchContext context) => context.KeepsInbound |= Uncork(context.TakeAnswers(), holds: false);

    private bool EndFrame(FramePlace place, int bytes, bool flush)
    {
        if (place != FramePlace.Queue)
        {
            _cork.EndFrame(ref _queue, place, bytes);
        }
        else if (_queue.EndFrame(bytes, flush) != NextSend.None)
        {
            if (BatchContext.Current.IsInRequestRun)
            {
                // Behind the run, or now if another thread has nothing to do: what the run sends meanwhile leaves with it.
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
            }
            else
            {
                _loop.Run(ref _queue);
            }
        }

        return true;
    }

    private void AbandonFrame(FramePlace place)
    {
        if (place == FramePlace.Queue)
        {
            _queue.AbandonFrame();
        }
    }

    private bool TrySend(ReadOnlySpan<byte> body, FrameHeader header)
    {
        _layout.RequireCarries(body);
        FramePlace place = BeginFrame(header, body.Length, out Span<byte> destination);
        if (place == FramePlace.None)
        {
            return false;
        }

        body.CopyTo(destination);
        return EndFrame(place, _layout.BytesOf(body.Length), flush: true);
    }

    private bool TryEnqueue<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, bool flush)
    {
        FramePlace place = BeginFrame(header, bodyBytes, out Span<byte> destination);
        if (place == FramePlace.None)
        {
            return false;
        }

        try
        {
            write(destination, state);
            _layout.RequireCarries(destination);
        }
        catch
        {
            AbandonFrame(place);
            throw;
        }

        return EndFrame(place, _layout.BytesOf(bodyBytes), flush);
    }

    private bool SendLatest(Segment segment, Delivery delivery, bool flush)
    {
        var frame = new LooseFrame(0, segment.Written, 0, delivery);
        try
        {
            return SendShared(new SharedFrames(segment, 0, segment.Written, 0, 1), new ReadOnlySpan<LooseFrame>(in frame), flush) > 0;
        }
        finally
        {
            segment.Release();
        }
    }

    private async ValueTask<bool> SendWhenRoomAsync(
        ReadOnlyMemory<byte> body, FrameHeader header, int roomFrom, CancellationToken cancellationToken)
    {
        while (_queue.State == ConnectionState.Open)
        {
            if (TrySend(body.Span, header))
            {
                return true;
            }

            if (InOwnBatch && _queue.IsCorked)
            {
                // The answers of this batch fill the queue. Send them now, or there will never be room.
                SendAnswersSoFar(BatchContext.Current);
            }

            await WaitForRoomAsync(roomFrom, cancellationToken).ConfigureAwait(false);
        }

        _hasRefused = true;
        return false;
    }

    /// <summary>Applies the slow-consumer policy.</summary>
    private bool OnFull(int frames = 1)
    {
        _hasRefused = true;
        if (_queue.State != ConnectionState.Open)
        {
            return false;
        }

        if (_services.Options.SlowConsumer == SlowConsumerPolicy.DropNewest)
        {
            _services.Metrics.Add(Counter.FramesDropped, frames);
            return false;
        }

        _services.Metrics.Add(Counter.SlowConsumers);
        ConnectionLog.SlowConsumer(_services.Logger, _control.Id, _control.RemoteEndPoint, _queue.AllBytes);
        _control.Abort(CloseReason.SlowConsumer);
        return false;
    }

    private bool Skip()
    {
        if (_queue.State == ConnectionState.Open)
        {
            _services.Metrics.Add(Counter.FramesSkipped);
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Count(in Losses losses) => losses.IsNone ? 0 : CountSome(losses);

    /// <returns>How many were not taken.</returns>
    private int CountSome(Losses losses)
    {
        if (losses.Replaced > 0)
        {
            _services.Metrics.Add(Counter.FramesReplaced, losses.Replaced);
        }

        if (losses.Skipped > 0 && _queue.State == ConnectionState.Open)
        {
            _services.Metrics.Add(Counter.FramesSkipped, losses.Skipped);
        }

        if (losses.Refused > 0)
        {
            OnFull(losses.Refused);
        }

        return losses.Skipped + losses.Refused;
    }
}
