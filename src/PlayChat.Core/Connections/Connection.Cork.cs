using PlayChat.Core.Buffers;

namespace PlayChat.Core.Connections;

// While the receive loop handles a batch and has answered ("corked"), its own frames are written without a lock, and nothing is sent
// until the batch ends; frames from elsewhere go behind them.
public sealed partial class Connection
{
    private volatile bool _corked; // set by the batch's own thread, cleared by it under _sendGate
    private OutboundBatch? _cork; // that thread's alone, where the thread's own piece does not do
    private int _corkedBytes; // written by that thread

    /// <summary>Takes room for an answer.</summary>
    private FramePlace ReserveInBatch(HandlerThread thread, int bytes, out Span<byte> frame)
    {
        frame = default;
        if (_state != State.Open || !HasRoom(Volatile.Read(ref _outboundBytes) + _corkedBytes, bytes))
        {
            return FramePlace.None;
        }

        if (!_corked)
        {
            Cork(thread, bytes);
        }

        if (thread.Answers is { } answers)
        {
            if (answers.FreeBytes >= bytes)
            {
                frame = answers.Free;
                return FramePlace.Answers;
            }

            // More than one piece.
            _cork = OutboundBatch.Rent();
            _cork.AddOwned(answers, thread.AnswerFrames, _services);
            thread.Answers = null;
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
            thread.BeginAnswers(answers, _services.Options.MaxOutboundBytes - Volatile.Read(ref _outboundBytes));
            return;
        }

        lock (_sendGate)
        {
            // What waits already goes first, so the batch writes on behind it.
            _cork = _pending ?? OutboundBatch.Rent();
            _pending = null;
        }
    }

    /// <summary>Hands over the answers that the batch has come to so far: on their way before the handler goes on to wait for room.</summary>
    private void UncorkEarly()
    {
        if (_corked)
        {
            HandlerThread thread = HandlerThread.Current;
            Segment? answers = thread.Answers;
            thread.Answers = null;
            Uncork(answers, thread.AnswerFrames);
        }
    }

    private void Uncork(Segment? answers, int answerFrames)
    {
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
            direct = answers is not null && !_sending && _pending is null && _state != State.Ended;
            if (direct)
            {
                _sending = true;
            }
            else
            {
                dropped = QueueCork(answers, answerFrames);
                start = TryBeginSending();
            }
        }

        dropped?.Release(_services);
        if (direct)
        {
            SendDirect(answers!, answerFrames);
            answers!.Release();
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

    /// <summary>Under the gate.</summary>
    /// <returns>What the link's end has made superfluous.</returns>
    private OutboundBatch? QueueCork(Segment? answers, int answerFrames)
    {
        OutboundBatch? cork = _cork;
        _cork = null;
        if (answers is not null)
        {
            (cork ??= OutboundBatch.Rent()).AddOwned(answers, answerFrames, _services);
        }

        if (cork is not null)
        {
            if (_pending is { } behind)
            {
                cork.Append(behind); // came from elsewhere meanwhile, and was counted as it came
            }

            _pending = cork;
        }

        return _state == State.Ended ? TakePending() : null;
    }
}
