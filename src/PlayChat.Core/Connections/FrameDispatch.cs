namespace PlayChat.Core.Connections;

/// <summary>Hands the frames of a connection to its handler, one at a time, and sends the answers of each batch together.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in the <see cref="ReceiveLoop"/>, which alone calls it: never copied.</para>
/// <para>
/// Invariants: no two handlers of a connection run at a time. <c>_handling</c> is set from the moment a handler makes the batch pause until
/// <see cref="EndWait"/>.
/// </para>
/// </remarks>
internal struct FrameDispatch(ConnectionServices services, FrameSender sender, IConnectionControl control)
{
    private const int BadFrameBytes = 16; // of a bad frame, enough to recognise another protocol

    private readonly ConnectionServices _services = services;
    private readonly FrameSender _sender = sender;
    private readonly IConnectionControl _control = control;
    private readonly Connection _connection = control.Connection;
    private RequestTable? _requests; // made with the first request
    private ValueTask _handling;
    private long _frames;
    private volatile bool _isWaiting;

    internal readonly Connection Connection => _connection;

    /// <summary>The frames of all batches that have ended. Any thread may ask.</summary>
    internal long Frames => Volatile.Read(ref _frames);

    /// <summary>Whether a handler waits, so that nothing is received.</summary>
    internal readonly bool IsWaiting => _isWaiting;

    /// <summary>The requests to the peer; <see langword="null"/> before the first one.</summary>
    internal RequestTable? Requests => Volatile.Read(ref _requests);

    /// <summary>Adds a request that is about to be sent, and gives it its id. The request completes in every case. Thread-safe.</summary>
    /// <exception cref="TooManyRequestsException"><see cref="ConnectionOptions.MaxRequests"/> is reached.</exception>
    /// <exception cref="ConnectionClosedException">The connection has ended or is ending.</exception>
    internal void BeginRequest(OpenRequest request)
    {
        if (Requests is not { } requests)
        {
            var made = new RequestTable(_control.Id, _services.Options.MaxRequests, _services.Packets.FailureIds, _services.Time);
            requests = Interlocked.CompareExchange(ref _requests, made, null) ?? made;
        }

        requests.Begin(request);
        if (_sender.State != ConnectionState.Open)
        {
            requests.Close(_control.CloseReason); // the connection may have closed before there was a table to close
        }
    }

    /// <summary>Handles one frame of the batch that the calling thread handles.</summary>
    internal FrameVerdict OnFrame(in Frame frame)
    {
        if (_requests is { } requests)
        {
            if (TryAnswer(requests, in frame))
            {
                return _sender.State == ConnectionState.Open ? FrameVerdict.Continue : FrameVerdict.Stop;
            }

            requests.ContinueAnswered(); // not after the handler, which may take its time
        }

        ValueTask handling = _services.Handler.HandleAsync(_connection, in frame);
        if (!handling.IsCompletedSuccessfully)
        {
            _handling = handling;
            return FrameVerdict.Pause;
        }

        return _sender.Verdict;
    }

    /// <summary>Handles the whole frames from an offset on, then flushes their answers, unless they are held: one send for all.</summary>
    /// <param name="loop">In which this is embedded.</param>
    /// <param name="inbound">What was received.</param>
    /// <param name="offset">Where in it the first frame starts.</param>
    /// <param name="receivedAt">When it was received.</param>
    /// <param name="received">How many bytes the last receive brought; counted once.</param>
    /// <param name="holds">Whether the answers wait for the caller's <see cref="FrameSender.Flush"/>.</param>
    /// <param name="keepsInbound">Set when a send is under way that reads in the receive buffer.</param>
    internal FrameBatch Dispatch(
        ReceiveLoop loop, ref InboundBuffer inbound, long offset, long receivedAt, int received, bool holds, ref bool keepsInbound)
    {
        if (_sender.State != ConnectionState.Open)
        {
            return new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Stop, offset, 0, 0);
        }

        FrameBatch batch;
        bool answered;
        ReadOnlySequence<byte> unread = inbound.Unread;
        long began = _services.SlowWork.Now;
        BatchContext context = BatchContext.Current;
        BatchContext.Work outer = context.Begin(loop, _sender, inbound.Segment);
        try
        {
            batch = _services.Format.DecodeBatch(in unread, offset, context);
        }
        catch (Exception e)
        {
            OnFault(e);
            batch = new FrameBatch(DecodeStatus.Frame, FrameVerdict.Stop, offset, 0, 0);
        }
        finally
        {
            _requests?.ContinueAnswered();
            answered = _sender.IsCorked;
            BatchContext.Work own = context.End(in outer);
            keepsInbound |= own.KeepsInbound;
            if (answered)
            {
                keepsInbound |= _sender.Uncork(in own, holds);
            }
        }

        if (_services.SlowWork.Lap(ref began) is > 0 and var milliseconds)
        {
            OnSlow(context, batch.Frames, milliseconds);
        }

        Volatile.Write(ref _frames, _frames + batch.Frames);
        _services.Metrics.CountReceived(received, batch.Frames);
        if (answered)
        {
            // Frames that only went to a room are timed by the room, when it hands their broadcasts over.
            _services.Metrics.RecordLatency(_services.Time.GetTimestamp() - receivedAt, Math.Max(1, batch.Frames));
        }

        return batch;
    }

    /// <summary>Returns the handler at which the batch has paused.</summary>
    /// <returns>
    /// The handler to wait for. Call <see cref="EndWait"/> when it has completed, and <see cref="OnFault"/> before that if it has thrown.
    /// </returns>
    internal ValueTask BeginWait()
    {
        _isWaiting = !_handling.IsCompleted;
        return _handling;
    }

    /// <summary>Ends the wait for the handler.</summary>
    /// <returns>Whether the frames behind it are to be handled.</returns>
    internal bool EndWait()
    {
        _isWaiting = false;
        _handling = default;
        return _sender.State == ConnectionState.Open;
    }

    /// <summary>Closes the connection because a handler has thrown, unless the handler only noticed the end of the connection.</summary>
    internal readonly void OnFault(Exception exception) =>
        _services.OnHandlerFault(_control, exception, hasEnded: _sender.State == ConnectionState.Ended);

    /// <summary>Closes the connection because the peer broke the protocol.</summary>
    /// <param name="status">What is wrong.</param>
    /// <param name="start">The bytes that are no frame; empty when it was a frame.</param>
    internal readonly void Refuse(DecodeStatus status, ReadOnlySpan<byte> start)
    {
        CloseReason reason = status == DecodeStatus.TooLarge ? CloseReason.FrameTooLarge : CloseReason.ProtocolViolation;
        _services.NoteViolation(
            _control,
            reason,
            start.IsEmpty
                ? $"It sent more than {_services.Options.MaxRequests} answers in a row that were never asked for."
                : BadFrameText.Describe(_services.Format, reason, start));
        if (!start.IsEmpty)
        {
            try
            {
                _services.Handler.OnBadFrame(_connection, reason, start[..Math.Min(start.Length, BadFrameBytes)]);
            }
            catch (Exception e)
            {
                // An exception of the application. The connection closes for the bad frame in any case.
                ConnectionLog.HandlerFault(_services.Logger, e, _control.Id, _control.RemoteEndPoint);
            }
        }

        _control.TellAndClose(reason);
    }

    /// <summary>Logs, within bounds, that handlers have blocked the receive loop.</summary>
    private readonly void OnSlow(BatchContext context, int frames, int milliseconds)
    {
        ushort packetId = context.Header.PacketId;
        if (!context.IsEngine && _services.SlowWork.TryTake(packetId, out int leftOut)) // of an engine the watchdog has told
        {
            ConnectionLog.SlowHandler(_services.Logger, frames, _control.Id, _control.RemoteEndPoint, packetId, milliseconds, leftOut);
        }
    }

    private readonly bool TryAnswer(RequestTable requests, in Frame frame)
    {
        AnswerResult result = requests.TryAnswer(in frame);
        if (result >= AnswerResult.Dropped)
        {
            _services.Metrics.Add(Counter.AnswersDropped);
            if (result == AnswerResult.TooMany)
            {
                Refuse(DecodeStatus.Malformed, start: default);
            }
        }

        return result != AnswerResult.NoAnswer;
    }
}
