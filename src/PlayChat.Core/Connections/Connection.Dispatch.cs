using System.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// What becomes of a batch: its frames go to the handler one at a time, and what is wrong with them, or with the handler, ends the connection.
public sealed partial class Connection
{
    private ValueTask _handling; // of the frame at which the batch paused

    /// <summary>Handles one frame of the batch that a thread is at.</summary>
    internal FrameVerdict OnFrame(in Frame frame)
    {
        if (_ahead is not null && _ahead.Requests.TryAnswer(in frame))
        {
            return _state == State.Open ? FrameVerdict.Continue : FrameVerdict.Stop;
        }

        ValueTask handling = _services.Handler.HandleAsync(this, in frame);
        if (!handling.IsCompletedSuccessfully)
        {
            _handling = handling;
            return FrameVerdict.Pause;
        }

        if (_state != State.Open)
        {
            return FrameVerdict.Stop;
        }

        // Answers that have come together send themselves before the next frame is handled: a peer that asks for much at once and
        // reads it is no slow consumer.
        return _corkedBytes > _services.Options.MaxOutboundBytes / 2 ? FrameVerdict.Pause : FrameVerdict.Continue;
    }

    /// <summary>Handles the whole frames from an offset on, then flushes their answers: one send for all of them.</summary>
    private FrameBatch Dispatch(long offset, long receivedAt, int received)
    {
        if (_state != State.Open)
        {
            return new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Stop, offset, 0, 0);
        }

        FrameBatch batch;
        bool answered;
        ReadOnlySequence<byte> unread = _inbound.Unread;
        HandlerThread thread = HandlerThread.Current;
        HandlerThread.Work outer = thread.Begin(this);
        try
        {
            batch = _services.Format.DecodeBatch(in unread, offset, thread);
        }
        catch (Exception e)
        {
            OnHandlerFault(e);
            batch = new FrameBatch(DecodeStatus.Frame, FrameVerdict.Stop, offset, 0, 0);
        }
        finally
        {
            answered = _corked;
            HandlerThread.Work own = thread.End(in outer);
            if (answered)
            {
                Uncork(in own);
            }
        }

        _services.Metrics.CountReceived(received, batch.Frames);
        if (answered)
        {
            // Frames that only went to a room are timed by the room, when it hands their broadcasts over.
            _services.Metrics.RecordLatency(_services.Time.GetTimestamp() - receivedAt, Math.Max(1, batch.Frames));
        }

        return batch;
    }

    /// <summary>Waits for the handler at which the batch paused.</summary>
    /// <param name="offset">Where the frames behind it begin.</param>
    /// <returns>Where they begin now, or -1 when they are not to be handled.</returns>
    private async ValueTask<long> HandledAsync(long offset)
    {
        bool waits = !_handling.IsCompleted;
        if (waits)
        {
            BeginPause(offset);
        }

        try
        {
            await _handling.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            OnHandlerFault(e);
        }

        _handling = default;
        if (waits)
        {
            offset = await EndPauseAsync().ConfigureAwait(false);
        }

        return _state == State.Open ? offset : -1;
    }

    private void OnHandlerFault(Exception exception)
    {
        if (exception is OperationCanceledException && _state == State.Ended)
        {
            return; // the handler heeded the token: no fault
        }

        if (exception is ConnectionClosedException closed && ReferenceEquals(closed.Connection, this))
        {
            return; // it waited for an answer that will not come: no fault either
        }

        _services.Metrics.Add(Counter.HandlerFaults);
        ConnectionLog.HandlerFault(_services.Logger, exception, Id, RemoteEndPoint);
        TellAndClose(CloseReason.HandlerFault);
    }

    private void Refuse(DecodeStatus status)
    {
        _services.Metrics.Add(Counter.ProtocolViolations);
        CloseReason reason = status == DecodeStatus.TooLarge ? CloseReason.FrameTooLarge : CloseReason.ProtocolViolation;
        ConnectionLog.BadFrame(_services.Logger, Id, RemoteEndPoint, reason);
        TellAndClose(reason);
    }
}
