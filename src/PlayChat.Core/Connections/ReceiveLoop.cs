namespace PlayChat.Core.Connections;

/// <summary>Receives bytes, handles each batch where it was received, and ends the connection when the link ends.</summary>
/// <remarks>
/// <para>
/// A chain of steps that continue where their operation completes. One async method would touch one more cold object for each batch. For
/// the same reason the loop itself is the work item that a transport or a work queue executes.
/// </para>
/// <para>
/// Invariants: exactly one thread, or one operation, runs the loop, so its fields need no lock. <c>_step</c> names the operation under way
/// and is set before that can complete. <c>_inbound</c> holds memory only while something waits in it, a receive is about to fill it, or a
/// handler reads in it.
/// </para>
/// </remarks>
internal sealed class ReceiveLoop : IThreadPoolWorkItem
{
    // A loop whose receives keep completing at once gives way after this many bytes, or after the number of receives that its link
    // names. Otherwise one fast peer would starve the others. With 0 it gives way after each receive that is not large.
    private const int MaxSynchronousBytes = 64 * 1024;

    // A full TLS record brings 16 KB (RFC 8446, 5.1), a little less when a WebSocket frame begins in it. A receive of at least this size
    // counts by its bytes alone: what it needs is in the processor's cache for the next one, and more bytes usually follow.
    private const int LargeReceive = 15 * 1024;

    // Answers are held from the second full record of a turn on, until the turn ends. They leave in one send, which costs less and wakes
    // the peer once: messages of 16 KB cost 0.87 of the CPU time (Linux transport). The first is answered at once: usually no second one
    // follows, and an answer that waits is copied.
    private const int HeldFrom = 2;

    // A connection counts as talking after this many batches without a pause. One that logs in and falls silent must not keep its
    // 64 KB. One that keeps talking has cost at most this many additional system calls.
    private const int TalkingFrom = 8;

    private readonly TransportConnection _link;
    private readonly ConnectionServices _services;
    private readonly FrameSender _sender;
    private readonly IConnectionControl _control;
    private readonly long _silentTicks;
    private readonly int _maxRounds;
    private FrameDispatch _dispatch;
    private InboundBuffer _inbound;
    private ReceiveBudget _budget;
    private bool _keepsInbound; // a send under way reads in the receive buffer
    private Step _step;
    private ValueTask _wait; // of the steps Wait and Handle
    private ValueTask<int> _receive; // of the step Receive
    private Action? _run;
    private long _lastReceive;
    private long _bytesReceived;
    private int _quick; // batches in a row without a pause
    private int _rounds; // receives in a row that completed at once
    private int _roundBytes;
    private int _missing; // the bytes that the frame at the end still lacks
    private FrameDeadline _deadline = new(); // of the partial frame at the end
    private volatile bool _isOverBudget; // the peer has sent more than it may, and is not read

    internal ReceiveLoop(TransportConnection link, ConnectionServices services, FrameSender sender, IConnectionControl control)
    {
        _link = link;
        _maxRounds = link.MaxSynchronousReceives;
        _services = services;
        _sender = sender;
        _control = control;
        _dispatch = new FrameDispatch(services, sender, control);
        _budget = new ReceiveBudget(services.Options, services.Time.TimestampFrequency);
        _silentTicks = (long)(services.Options.SilentAfter.TotalSeconds * services.Time.TimestampFrequency);
        _lastReceive = services.Time.GetTimestamp();
    }

    private enum Step : byte
    {
        None,
        Wait, // for something to receive
        Ready, // the same, told by a call
        Receive,
        Handle, // a handler, or a peer that must read first
    }

    internal Connection Connection => _dispatch.Connection;

    /// <summary>When bytes last arrived, or their absence was excused, in ticks of the server's <see cref="TimeProvider"/>.</summary>
    internal long LastReceiveTimestamp => Volatile.Read(ref _lastReceive);

    /// <summary>The bytes that the link has brought. Any thread may ask.</summary>
    internal long BytesReceived => Volatile.Read(ref _bytesReceived);

    internal long FramesReceived => _dispatch.Frames;

    internal bool IsHandlerWaiting => _dispatch.IsWaiting;

    internal RequestTable? Requests => _dispatch.Requests;

    // A transport that knows when there is something to receive is given no memory until then. On the others a connection waits only after
    // silence: the wait costs a system call.
    private bool WaitsFirst => _link.KnowsReadiness || _quick < TalkingFrom;

    /// <summary>The bytes received of a frame that is not whole, or of a message of the link that has no frame yet.</summary>
    private int PartialBytes => _inbound.WaitingBytes + _link.UnfinishedBytes;

    void IThreadPoolWorkItem.Execute() => Run();

    internal void BeginRequest(OpenRequest request) => _dispatch.BeginRequest(request);

    /// <summary>
    /// Called by the server's sweep when nothing was received for too long. While a handler waits, or the peer is over its budget, the
    /// server does not read what the peer sends, so the silence is the server's, and its time starts again.
    /// </summary>
    /// <returns>
    /// <see langword="false"/> when the silence is the peer's: the server reads, or the peer does not read (and the handler may wait for
    /// that).
    /// </returns>
    internal bool TryExcuseSilence(long now)
    {
        if (!(_dispatch.IsWaiting || _isOverBudget) || _sender.IsHalfFull || _sender.HasWaiters)
        {
            return false;
        }

        Volatile.Write(ref _lastReceive, now);
        return true;
    }

    /// <summary>
    /// Called by the sweep: whether the peer has begun a frame, or a message of its link, and takes longer for the rest than it may
    /// (<see cref="ConnectionOptions.FrameTimeout"/>).
    /// </summary>
    internal bool IsFrameOverdue(long now, TimeSpan timeout) => _deadline.IsOver(now, timeout, _services.Time);

    internal FrameVerdict OnFrame(in Frame frame) => _dispatch.OnFrame(in frame);

    /// <summary>Starts the loop, or continues it after the step under way.</summary>
    internal void Run()
    {
        // Local variables: when a step has to wait, the loop may continue on another thread at once.
        int records = 0;
        bool continues = false;
        try
        {
            continues = RunSteps(ref records);
        }
        catch (Exception e)
        {
            // Nothing above throws because of a peer, so this is a fault of PlayChat or of a transport; it costs this connection alone.
            ConnectionLog.ReceiveFault(_services.Logger, e, _control.Id);
            _control.SetReason(CloseReason.TransportFault);
        }

        if (records >= HeldFrom)
        {
            SendHeld();
        }

        if (!continues)
        {
            _ = EndAsync();
        }
    }

    /// <summary>
    /// Sends the answers that the turn has held. When the next turn has begun already, this finds nothing or sends early what that one
    /// holds.
    /// </summary>
    private void SendHeld()
    {
        try
        {
            _sender.Flush();
        }
        catch (Exception e)
        {
            ConnectionLog.SendFault(_services.Logger, e, _control.Id);
            _control.Abort(CloseReason.TransportFault); // the loop may run: it ends by itself
        }
    }

    /// <summary>Runs until a step has to wait.</summary>
    /// <param name="records">Counts the full records. From <see cref="HeldFrom"/> on the caller sends the answers that are held.</param>
    /// <returns><see langword="false"/> when the link has ended; otherwise <see cref="Run"/> is called again, maybe already.</returns>
    private bool RunSteps(ref int records)
    {
        Step done = _step;
        _step = Step.None;
        if (done == Step.Handle)
        {
            TakeWait();
            if (_sender.State == ConnectionState.Ended)
            {
                return false;
            }
        }

        while (true)
        {
            bool synchronous = done is not (Step.Wait or Step.Ready or Step.Receive);
            if (done == Step.Wait)
            {
                TakeWait();
            }
            else if (synchronous && WaitsFirst && !HasData())
            {
                return true;
            }

            if (!TryReceive(done, out int received))
            {
                return true;
            }

            done = Step.None;
            if (received == 0)
            {
                return false;
            }

            bool holds = received >= LargeReceive && _link.BringsRecords && ++records >= HeldFrom;
            if (!(received > 0 ? TryHandle(received, holds) : TryHandleNothing()))
            {
                return true;
            }

            if (_sender.State == ConnectionState.Ended)
            {
                return false;
            }

            if (GivesWay(received, synchronous))
            {
                LocalWork.Queue(this);
                return true;
            }
        }
    }

    /// <summary>Whether there is something to receive.</summary>
    /// <returns><see langword="false"/> when the loop continues after a wait.</returns>
    private bool HasData()
    {
        _step = Step.Ready; // first: the loop may continue on another thread at once
        bool? waits = _link.TryWaitForData(this);
        if (waits == true)
        {
            return false;
        }

        _step = Step.None;
        return waits is not null || IsDone(_link.WaitForDataAsync(), Step.Wait);
    }

    /// <summary>Takes the receive that has completed, or makes one.</summary>
    /// <returns><see langword="false"/> when it is under way.</returns>
    private bool TryReceive(Step done, out int received)
    {
        ValueTask<int> receive = done == Step.Receive ? _receive : _link.ReceiveAsync(_inbound.GetMemory(_missing, _services.Pool));
        if (!receive.IsCompleted)
        {
            _receive = receive;
            _step = Step.Receive;
            received = 0;
            receive.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_run ??= Run);
            return false;
        }

#pragma warning disable VSTHRD002 // it has completed
        received = receive.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        return true;
    }

    /// <summary>Handles what was received.</summary>
    /// <param name="received">How many bytes.</param>
    /// <param name="holds">Whether its answers wait for those of the receives that follow in the same turn.</param>
    /// <returns><see langword="false"/> when the loop continues after a wait.</returns>
    private bool TryHandle(int received, bool holds)
    {
        long now = _services.Time.GetTimestamp();
        _quick = now - _lastReceive >= _silentTicks ? 0 : Math.Min(_quick + 1, TalkingFrom);
        Volatile.Write(ref _lastReceive, now);
        Volatile.Write(ref _bytesReceived, _bytesReceived + received); // one writer, so no interlocked add
        _inbound.Advance(received);
        FrameBatch batch = _dispatch.Dispatch(this, ref _inbound, offset: 0, now, received, holds, ref _keepsInbound);
        if (batch.Verdict == FrameVerdict.Pause || _sender.IsHalfFull)
        {
            _deadline.Stop();
            return IsDone(HandleRestAsync(batch, now, received), Step.Handle);
        }

        EndBatch(in batch, now);
        if (_budget.IsLimited && _budget.Take(received + _link.TakeOverheadBytes(), batch.Frames, now) is var pause and > 0)
        {
            return IsDone(PauseAsync(pause), Step.Handle);
        }

        return true;
    }

    /// <summary>
    /// Handles a receive that brought no content (<see cref="TransportConnection.NothingYet"/>): it is a sign of life, or the peer has
    /// broken a rule of its link.
    /// </summary>
    /// <returns><see langword="false"/> when the loop continues after a wait.</returns>
    private bool TryHandleNothing()
    {
        long now = _services.Time.GetTimestamp();
        Volatile.Write(ref _lastReceive, now);
        if (_link.TakeViolation() is var violation and not CloseReason.None)
        {
            _services.NoteLinkViolation(_control, violation);
            _control.TellAndClose(violation);
        }

        _deadline.Note(PartialBytes, frames: 0, now);
        if (WaitsFirst)
        {
            _inbound.Shrink(_services.Pool);
        }

        return !_budget.IsLimited
            || _budget.Take(_link.TakeOverheadBytes(), frames: 1, now) is not (var pause and > 0)
            || IsDone(PauseAsync(pause), Step.Handle);
    }

    /// <summary>The slow path of a batch: a handler waits for something, or the peer must read first.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask HandleRestAsync(FrameBatch batch, long receivedAt, int received)
    {
        int frames = batch.Frames;
        while (batch.Verdict == FrameVerdict.Pause && await HandledAsync().ConfigureAwait(false))
        {
            if (_sender.IsHalfFull)
            {
                await WaitForReaderAsync().ConfigureAwait(false);
            }

            batch = _dispatch.Dispatch(this, ref _inbound, batch.ConsumedBytes, receivedAt, received: 0, holds: false, ref _keepsInbound);
            frames += batch.Frames;
        }

        long now = _services.Time.GetTimestamp(); // the partial frame at the end was not read meanwhile
        EndBatch(in batch, now);
        if (_sender.State != ConnectionState.Ended && _sender.IsHalfFull)
        {
            await WaitForReaderAsync().ConfigureAwait(false);
        }

        if (_budget.IsLimited && _budget.Take(received + _link.TakeOverheadBytes(), frames, now) is var pause and > 0)
        {
            await PauseAsync(pause).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the handler at which the batch paused.</summary>
    /// <returns>Whether the frames behind it are to be handled.</returns>
    private async ValueTask<bool> HandledAsync()
    {
        try
        {
            await _dispatch.BeginWait().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            _dispatch.OnFault(e);
        }

        return _dispatch.EndWait();
    }

    private void EndBatch(in FrameBatch batch, long now)
    {
        _missing = batch.MissingBytes;
        if (_sender.State == ConnectionState.Open && batch.Status is DecodeStatus.TooLarge or DecodeStatus.Malformed)
        {
            _dispatch.Refuse(batch.Status, _inbound.Unread.FirstSpan[(int)batch.ConsumedBytes..]);
        }

        // A closing connection keeps receiving, to see the peer's end, but handles nothing any more.
        if (_sender.State == ConnectionState.Open)
        {
            _inbound.Consume((int)batch.ConsumedBytes);
        }
        else
        {
            _inbound.Clear();
        }

        _deadline.Note(PartialBytes, batch.Frames, now);
        if (_keepsInbound)
        {
            _keepsInbound = false; // the send keeps its hold on the segment
            _inbound.LeaveSegment(_services.Pool);
        }
        else if (WaitsFirst)
        {
            _inbound.Shrink(_services.Pool);
        }
    }

    private bool GivesWay(int received, bool synchronous)
    {
        if (!synchronous)
        {
            (_rounds, _roundBytes) = (0, 0);
            return _maxRounds == 0 && received < LargeReceive;
        }

        _roundBytes += Math.Max(received, 0);
        if ((received >= LargeReceive || ++_rounds < _maxRounds) && _roundBytes < MaxSynchronousBytes)
        {
            return false;
        }

        (_rounds, _roundBytes) = (0, 0);
        return true;
    }

    private bool IsDone(ValueTask step, Step name)
    {
        if (!step.IsCompleted)
        {
            _wait = step;
            _step = name;
            // Last: the loop may continue on another thread at once.
            step.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_run ??= Run);
            return false;
        }

#pragma warning disable VSTHRD002 // it has completed
        step.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        return true;
    }

#pragma warning disable VSTHRD002 // it has completed: this is its continuation
    private void TakeWait() => _wait.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002

    /// <summary>
    /// Stops reading a peer that sends requests faster than it reads the answers, until it has read: TCP then slows it down. Unlike a full
    /// queue, this does not close the peer.
    /// </summary>
    private async ValueTask WaitForReaderAsync()
    {
        (long, long) pause = BeginPause();
        await _sender.WaitForRoomAsync(_sender.MaxBytes / 4).ConfigureAwait(false);
        EndPause(pause);
    }

    /// <summary>Stops reading a peer that has sent more than its budget, so that TCP slows it down: for a while, which can be minutes
    /// after one receive, or until the connection is aborted.</summary>
    private async ValueTask PauseAsync(long ticks)
    {
        (long, long) pause = BeginPause();
        _isOverBudget = true;
        await Task.Delay(_services.Time.GetElapsedTime(0, ticks), _services.Time, _control.Aborted)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Volatile.Write(ref _lastReceive, _services.Time.GetTimestamp()); // the silence was the server's
        _isOverBudget = false;
        EndPause(pause);
    }

    private (long FrameSince, long Began) BeginPause()
    {
        _services.Metrics.Add(Counter.ReadPauses);
        return (_deadline.Stop(), _services.Time.GetTimestamp());
    }

    private void EndPause((long FrameSince, long Began) pause) =>
        _deadline.Continue(pause.FrameSince, paused: _services.Time.GetTimestamp() - pause.Began);

    private async Task EndAsync()
    {
        try
        {
            await FinishAsync().ConfigureAwait(false);
        }
        finally
        {
            _control.OnEnded();
        }
    }

    /// <summary>
    /// After the last receive: delivers what is still queued if the peer only ended its own direction, then frees everything.
    /// </summary>
    private async Task FinishAsync()
    {
        if (_link.EndReason == CloseReason.PeerClosed)
        {
            _control.Close(CloseReason.PeerClosed); // keeps an earlier reason
            await _sender.WaitForRoomAsync(0).ConfigureAwait(false);
            _sender.ShutdownWhenSent(); // the send loop does it, if it runs
            await _sender.WaitForSendAsync().ConfigureAwait(false);
            _control.OnDelivered();
        }
        else
        {
            _control.Abort(_link.EndReason);
        }

        // What remains: memory without bytes (the writer of a frame threw), and frames that another thread's abort has not dropped yet.
        _sender.Drop();
        await _sender.WaitForSendAsync().ConfigureAwait(false);
        _inbound.Release();
    }
}
