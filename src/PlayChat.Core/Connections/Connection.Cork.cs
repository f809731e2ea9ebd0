using PlayChat.Core.Buffers;

namespace PlayChat.Core.Connections;

// While the receive loop handles a batch and has answered ("corked"), its own frames are written without a lock, and nothing is sent
// until the batch ends; frames from elsewhere go behind those that are there, and before those that follow.
public sealed partial class Connection
{
    private volatile bool _corked; // set by the batch's own thread, cleared by it under _sendGate
    private OutboundBatch? _cork; // that thread's alone, where the thread's own piece does not do
    private int _corkedBytes; // written by that thread
    private bool _inboundIsShared; // a send under way reads in the receive buffer

    /// <summary>
    /// Answers a frame with itself, from where it was received: nothing is copied as long as the frames of a batch go back one behind the
    /// other and the system takes them at once. Measured in bench/README.md, "What was changed".
    /// </summary>
    private bool TryRelay(HandlerThread thread, int start, int bytes)
    {
        if (_state != State.Open || Volatile.Read(ref _pending) is not null)
        {
            return false;
        }

        if (!thread.TryExtendRun(this, start, bytes))
        {
            int queued = Volatile.Read(ref _outboundBytes);
            if (_corked || !ReferenceEquals(thread.Connection, this) || !HasRoom(queued, bytes))
            {
                return false;
            }

            _corked = true; // see Cork
            thread.BeginRun(start, bytes, Math.Max(bytes, _services.Options.MaxOutboundBytes - queued));
        }

        _corkedBytes += bytes;
        return true;
    }

    /// <summary>Takes room for an answer.</summary>
    private FramePlace ReserveInBatch(HandlerThread thread, int bytes, out Span<byte> frame)
    {
        frame = default;
        if (_state != State.Open || !HasRoom(Volatile.Read(ref _outboundBytes) + _corkedBytes, bytes))
        {
            return FramePlace.None;
        }

        if (thread.RunFrames > 0)
        {
            EndRun(thread, bytes);
        }
        else if (!_corked)
        {
            Cork(thread, bytes);
        }

        if (Volatile.Read(ref _pending) is not null)
        {
            GoBehindPending(thread);
        }

        if (thread.Answers is { } answers)
        {
            if (answers.FreeBytes >= bytes)
            {
                frame = answers.Free;
                return FramePlace.Answers;
            }

            BeginPieces(thread, answers); // more than one piece
        }

        frame = _cork!.GetSpan(bytes, _services, _lastSendBytes);
        return FramePlace.Cork;
    }

    private void EndFrameInBatch(FramePlace place, int bytes)
    {
        if (place == FramePlace.Answers)
        {
            HandlerThread thread = HandlerThread.Current;
            thread.Answers!.Written += bytes;
            thread.AnswerFrames++;
        }
        else
        {
            _cork!.Advance(bytes);
        }

        _corkedBytes += bytes;
    }

    /// <summary>Begins the answers of a batch. What others send from now on goes behind them.</summary>
    private void Cork(HandlerThread thread, int bytes)
    {
        // Memory first: where there is none, nothing has begun.
        Segment? answers = Volatile.Read(ref _pending) is null ? _services.Pool.RentSegment(Math.Max(bytes, _lastSendBytes)) : null;

        // Who is caused to send by what the batch does next sees the flag, because whatever brings him to it is a barrier. Who is not
        // has no order to keep, so no lock is needed.
        _corked = true;
        if (answers is not null)
        {
            thread.BeginAnswers(answers, frames: 0);
            return;
        }

        lock (_sendGate)
        {
            // What waits already goes first, so the batch writes on behind it.
            _cork = _pending ?? OutboundBatch.Rent();
            _pending = null;
        }
    }

    /// <summary>Others have sent since the batch's last answer, which may be what causes the next one: that goes behind theirs.</summary>
    private void GoBehindPending(HandlerThread thread)
    {
        if (thread.Answers is { } answers)
        {
            BeginPieces(thread, answers);
        }

        lock (_sendGate)
        {
            if (_pending is { } pending)
            {
                _cork!.Append(pending);
                _pending = null;
            }
        }
    }

    private void BeginPieces(HandlerThread thread, Segment answers)
    {
        _cork = OutboundBatch.Rent();
        _cork.AddOwned(answers, thread.AnswerFrames, _services);
        thread.Answers = null;
    }

    /// <summary>Another answer follows: the run is copied, so that it can be written behind it.</summary>
    private void EndRun(HandlerThread thread, int moreBytes)
    {
        (int start, int bytes) = thread.Run;
        thread.BeginAnswers(CopyRun(start, bytes, Math.Max(bytes + moreBytes, _lastSendBytes)), thread.RunFrames);
    }

    private Segment CopyRun(int start, int bytes, int room)
    {
        Segment copy = _services.Pool.RentSegment(room);
        _inbound.Segment.Array.AsSpan(start, bytes).CopyTo(copy.Array);
        copy.Written = bytes;
        return copy;
    }

    /// <summary>Hands over the answers that the batch has come to so far: on their way before the handler goes on to wait for room.</summary>
    private void UncorkEarly()
    {
        if (_corked)
        {
            HandlerThread thread = HandlerThread.Current;
            HandlerThread.Work own = thread.Begin(this); // goes on without answers
            Uncork(in own);
        }
    }

    /// <summary>Ends the batch's answers: they go out at once, or behind what is under way.</summary>
    private void Uncork(in HandlerThread.Work own)
    {
        Segment? answers = own.Answers;
        if (answers is { Written: 0 })
        {
            answers.Release(); // its frame's writer threw
            answers = null;
        }

        bool direct;
        bool start = false;
        OutboundBatch? dropped = null;
        lock (_sendGate)
        {
            _corked = false;
            _outboundBytes += _corkedBytes;
            _corkedBytes = 0;
            direct = !_sending && !_shutdown && _pending is null && _latest is null && _state != State.Ended && (answers is not null || own.RunFrames > 0);
            if (direct)
            {
                _sending = true;
            }
            else
            {
                dropped = QueueCork(answers, in own);
                if (_latest is not null && !_sending)
                {
                    QueueLatest();
                }

                start = TryBeginSending();
            }
        }

        dropped?.Release(_services);
        if (direct)
        {
            SendAnswers(answers, in own);
        }
        else if (start)
        {
            SendPending();
        }
        else if (_state == State.Closing)
        {
            ShutdownWhenSent();
        }
    }

    private void SendAnswers(Segment? answers, in HandlerThread.Work own)
    {
        if (answers is not null)
        {
            SendDirect(answers, 0, answers.Written, own.Frames);
            answers.Release();
        }
        else if (!SendDirect(_inbound.Segment, own.RunStart, own.RunEnd - own.RunStart, own.RunFrames))
        {
            _inboundIsShared = true;
        }
    }

    /// <summary>Under the gate.</summary>
    /// <returns>What will not be sent: the link has ended, or a close came between the first answer's look at the state and its cork, and has told the peer.</returns>
    private OutboundBatch? QueueCork(Segment? answers, in HandlerThread.Work own)
    {
        OutboundBatch? cork = _cork;
        _cork = null;
        if (answers is not null)
        {
            (cork ??= OutboundBatch.Rent()).AddOwned(answers, own.Frames, _services);
        }
        else if (own.RunFrames > 0)
        {
            int bytes = own.RunEnd - own.RunStart;
            cork = OutboundBatch.Rent();
            cork.AddOwned(CopyRun(own.RunStart, bytes, bytes), own.RunFrames, _services);
        }

        if (cork is not null)
        {
            if (_pending is { } behind)
            {
                cork.Append(behind); // came from elsewhere meanwhile, and was counted as it came
            }

            _pending = cork;
        }

        return _state == State.Ended || _shutdown ? TakePending() : null;
    }
}
