namespace PlayChat.Core.Connections;

/// <summary>
/// Runs a connection as a stream: two loops move bytes between the link and two pipes, and a handler has the other ends of the pipes.
/// </summary>
/// <remarks>
/// <para>
/// Takes the places of <see cref="ReceiveLoop"/> and <see cref="FrameSender"/>, and alone uses the link. Bytes are received into the memory
/// of the one pipe and sent from the memory of the other, so nothing is copied.
/// </para>
/// <para>
/// Invariants: <c>_state</c> only rises. Only the receiving loop writes <c>_received</c> and only the sending loop reads <c>_toSend</c>,
/// and each completes its end of the pipe when it returns. The connection ends when both loops and the handler have returned.
/// </para>
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The source has no timer to free, and a close may cancel it at any moment.")]
internal sealed class StreamLoop
{
    // Of a pipe, in bytes: as much as one receive of a connection with frames takes.
    private const int PipeBytes = SegmentPool.ReceiveBytes;

    private const int PieceBytes = 16 * 1024;

    // A receive with less memory than this would cost a system call for few bytes.
    private const int MinReceiveBytes = 4 * 1024;

    // A loop whose operations keep completing at once gives its thread back after so many rounds.
    private const int MaxSynchronousRounds = 16;

    private readonly TransportConnection _link;
    private readonly ConnectionServices _services;
    private readonly IConnectionControl _control;
    private readonly Func<Connection, IDuplexPipe, CancellationToken, Task> _handler;
    private readonly Pipe _received;
    private readonly Pipe _toSend;
    private readonly CancellationTokenSource _cancellation = new();
    private readonly TaskCompletionSource _returned = new(TaskCreationOptions.RunContinuationsAsynchronously); // with the handler
    private List<ArraySegment<byte>>? _pieces; // of a send; the sending loop's
    private int _state;
    private long _closeDeadline = long.MaxValue;
    private long _lastActivity;
    private volatile bool _isHeld; // the handler does not read
    private volatile bool _isSending;
    private volatile bool _peerFinished;

    internal StreamLoop(
        TransportConnection link,
        ConnectionServices services,
        Func<Connection, IDuplexPipe, CancellationToken, Task> handler,
        IConnectionControl control)
    {
        _link = link;
        _services = services;
        _handler = handler;
        _control = control;
        var memory = new SegmentMemoryPool(services.Pool);
        _received = CreatePipe(memory, PipeBytes);
        _toSend = CreatePipe(memory, Math.Min(PipeBytes, services.Options.MaxOutboundBytes));
        _lastActivity = services.Time.GetTimestamp();
    }

    internal ConnectionState State => (ConnectionState)Volatile.Read(ref _state);

    /// <summary>When bytes last arrived or were sent, or their absence was excused, in ticks of the server's clock.</summary>
    internal long LastActivityTimestamp => Volatile.Read(ref _lastActivity);

    /// <summary>Starts the loops and the handler. Once.</summary>
    internal void Start() => _ = Task.Run(RunAsync);

    /// <summary>Asks the handler to return. Only the first call counts. The caller has set the reason.</summary>
    internal void Close(CloseReason reason)
    {
        // A stop of the server has a bound of its own, so the deadline of its closes begins when the handler has returned.
        if (reason != CloseReason.ServerShutdown)
        {
            SetCloseDeadline();
        }

        if (Interlocked.CompareExchange(ref _state, (int)ConnectionState.Closing, (int)ConnectionState.Open) == (int)ConnectionState.Open)
        {
            Cancel();
        }
    }

    /// <summary>Ends the link now. The caller has set the reason.</summary>
    /// <returns>Whether it had not ended.</returns>
    internal bool TryAbort()
    {
        if (Interlocked.Exchange(ref _state, (int)ConnectionState.Ended) == (int)ConnectionState.Ended)
        {
            return false;
        }

        _link.Abort();
        // Each wakes a loop that waits for the handler. A loop that waits for the link is woken by the link's end.
        _received.Writer.CancelPendingFlush();
        _toSend.Reader.CancelPendingRead();
        Cancel();
        return true;
    }

    /// <summary>Whether a close has taken too long.</summary>
    internal bool IsOverdue(long now) => State == ConnectionState.Closing && now >= Volatile.Read(ref _closeDeadline);

    /// <summary>
    /// Called by the server's sweep when nothing was received or sent for too long. While the handler does not read what the peer has sent,
    /// the silence is ours, unless the peer does not read either.
    /// </summary>
    internal bool TryExcuseSilence(long now)
    {
        if (!_isHeld || _isSending)
        {
            return false;
        }

        Volatile.Write(ref _lastActivity, now);
        return true;
    }

    private static Pipe CreatePipe(SegmentMemoryPool memory, int bytes) => new(new PipeOptions(
        memory,
        readerScheduler: PipeScheduler.ThreadPool,
        writerScheduler: PipeScheduler.ThreadPool,
        pauseWriterThreshold: bytes,
        resumeWriterThreshold: bytes / 2,
        minimumSegmentSize: PieceBytes,
        useSynchronizationContext: false));

    private async Task RunAsync()
    {
        Task receiving = ReceiveAsync();
        Task sending = SendAsync();
        try
        {
            if (State == ConnectionState.Open) // a connection that was refused only closes
            {
                await _handler(
                    _control.Connection, new DuplexPipe(_received.Reader, _toSend.Writer), _cancellation.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            OnFault(e);
        }

        Finish();
        await receiving.ConfigureAwait(false);
        await sending.ConfigureAwait(false);
        Volatile.Write(ref _state, (int)ConnectionState.Ended);
        _control.OnDelivered();
        _control.OnEnded();
    }

    /// <summary>The handler has returned: what it has written is delivered, then the peer's own end is awaited.</summary>
    private void Finish()
    {
        _control.SetReason(_peerFinished ? CloseReason.PeerClosed : CloseReason.LocalClose);
        SetCloseDeadline();
        Interlocked.CompareExchange(ref _state, (int)ConnectionState.Closing, (int)ConnectionState.Open);
        _received.Reader.Complete(); // the handler may have completed both itself: a second time does nothing
        _toSend.Writer.Complete();
        _returned.TrySetResult();
    }

    private async Task ReceiveAsync()
    {
        CloseReason end = CloseReason.TransportFault;
        try
        {
            await ReceiveForHandlerAsync().ConfigureAwait(false);
            await DropRestAsync().ConfigureAwait(false);
            end = _link.EndReason;
        }
        catch (Exception e)
        {
            ConnectionLog.ReceiveFault(_services.Logger, e, _control.Id); // a transport of the application's own
        }

        if (end == CloseReason.PeerClosed && State != ConnectionState.Ended)
        {
            _peerFinished = true;
            await _received.Writer.CompleteAsync().ConfigureAwait(false);
            return;
        }

        _control.Abort(end == CloseReason.None ? CloseReason.TransportFault : end);
        await _received.Writer.CompleteAsync(new ConnectionClosedException(_control.Id, _control.CloseReason)).ConfigureAwait(false);
    }

    /// <summary>Receives until the link ends or the handler reads no more.</summary>
    private async Task ReceiveForHandlerAsync()
    {
        bool mayHaveMore = false;
        for (int round = 1; ; round++)
        {
            if (round % MaxSynchronousRounds == 0)
            {
                await Task.Yield();
            }

            if (!mayHaveMore)
            {
                await _link.WaitForDataAsync().ConfigureAwait(false); // without memory: a silent connection holds none
            }

            Memory<byte> memory = _received.Writer.GetMemory(MinReceiveBytes);
            int received = await _link.ReceiveAsync(memory).ConfigureAwait(false);
            if (received < 0)
            {
                mayHaveMore = false;
                TakeNothing();
                continue;
            }

            if (received == 0)
            {
                return;
            }

            Count(received);
            mayHaveMore = received == memory.Length;
            _received.Writer.Advance(received);
            _isHeld = true;
            FlushResult result = await _received.Writer.FlushAsync().ConfigureAwait(false);
            _isHeld = false;
            if (result.IsCompleted || State == ConnectionState.Ended)
            {
                return;
            }
        }
    }

    /// <summary>Waits for the handler, then drops what the peer still sends, so that the peer's end is seen.</summary>
    private async Task DropRestAsync()
    {
        if (_link.EndReason != CloseReason.None || State == ConnectionState.Ended)
        {
            return;
        }

        await _returned.Task.ConfigureAwait(false);
        Segment dropped = _services.Pool.RentSegment(PieceBytes);
        try
        {
            for (int round = 1; await _link.ReceiveAsync(dropped.Array).ConfigureAwait(false) is var received and not 0; round++)
            {
                if (received > 0)
                {
                    Count(received);
                }
                else
                {
                    TakeNothing();
                }

                if (round % MaxSynchronousRounds == 0)
                {
                    await Task.Yield();
                }
            }
        }
        finally
        {
            dropped.Release();
        }
    }

    /// <summary>
    /// Called when a receive has brought no content (<see cref="TransportConnection.NothingYet"/>): a sign of life, or the peer has broken
    /// a rule of its link. Until a violation is taken, each receive returns the same at once.
    /// </summary>
    private void TakeNothing()
    {
        Volatile.Write(ref _lastActivity, _services.Time.GetTimestamp());
        if (_link.TakeViolation() is var violation and not CloseReason.None)
        {
            _services.NoteLinkViolation(_control, violation);
            _control.TellAndClose(violation);
        }
    }

    private void Count(int received)
    {
        _services.Metrics.CountReceived(received, frames: 0);
        Volatile.Write(ref _lastActivity, _services.Time.GetTimestamp());
    }

    private async Task SendAsync()
    {
        try
        {
            if (await SendAllAsync().ConfigureAwait(false))
            {
                _link.Shutdown(_control.CloseReason);
            }
        }
        catch (Exception e)
        {
            // The handler completed its output with an exception, so the peer must not take what it got for the whole.
            OnFault(e);
            _control.Abort(CloseReason.HandlerFault);
        }

        await _toSend.Reader.CompleteAsync().ConfigureAwait(false); // a flush of the handler returns at once from now on
    }

    /// <summary>Sends until the handler's output is completed.</summary>
    /// <returns><see langword="false"/> when the link has ended before.</returns>
    private async Task<bool> SendAllAsync()
    {
        for (int round = 1; ; round++)
        {
            ReadResult result = await _toSend.Reader.ReadAsync().ConfigureAwait(false);
            if (State == ConnectionState.Ended)
            {
                return false;
            }

            if (!result.Buffer.IsEmpty && !await SendPiecesAsync(result.Buffer).ConfigureAwait(false))
            {
                return false;
            }

            _toSend.Reader.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                return true;
            }

            if (round % MaxSynchronousRounds == 0)
            {
                await Task.Yield();
            }
        }
    }

    private async ValueTask<bool> SendPiecesAsync(ReadOnlySequence<byte> bytes)
    {
        bool sent = false;
        _isSending = true;
        try
        {
            sent = await (bytes.IsSingleSegment ? _link.SendAsync(bytes.First) : _link.SendAsync(Gather(in bytes))).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            ConnectionLog.SendFault(_services.Logger, e, _control.Id); // a transport of the application's own
        }

        _isSending = false;
        if (sent)
        {
            _services.Metrics.CountSent((int)bytes.Length, frames: 0);
            Volatile.Write(ref _lastActivity, _services.Time.GetTimestamp());
            return true;
        }

        // A peer that had sent its FIN and does not take what is sent has broken the link.
        CloseReason reason = _link.EndReason;
        _control.Abort(reason switch
        {
            CloseReason.None => CloseReason.TransportFault,
            CloseReason.PeerClosed => CloseReason.PeerReset,
            _ => reason,
        });
        return false;
    }

    private List<ArraySegment<byte>> Gather(in ReadOnlySequence<byte> bytes)
    {
        List<ArraySegment<byte>> pieces = _pieces ??= [];
        pieces.Clear();
        foreach (ReadOnlyMemory<byte> piece in bytes)
        {
            // SegmentMemoryPool rents arrays alone.
            _ = MemoryMarshal.TryGetArray(piece, out ArraySegment<byte> array);
            pieces.Add(array);
        }

        return pieces;
    }

    private void OnFault(Exception exception) =>
        _services.OnHandlerFault(_control, exception, hasEnded: _cancellation.IsCancellationRequested);

    private void SetCloseDeadline() =>
        Interlocked.CompareExchange(ref _closeDeadline, _services.DeadlineAfter(_services.Options.CloseTimeout), long.MaxValue);

    /// <summary>Cancels the token at once, and has the thread pool run its callbacks: see <see cref="ConnectionEnd"/>.</summary>
    private void Cancel() => _ = ConnectionEnd.CancelAsync(_cancellation, _services.Logger, _control.Id);
}
