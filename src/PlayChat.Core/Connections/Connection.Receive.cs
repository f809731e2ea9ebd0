using System.Buffers;
using System.IO.Pipelines;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// The receive loop: what has arrived is parsed and handled where it was received, and only then are the answers flushed.
public sealed partial class Connection : IFrameSink
{
    // A loop whose receives keep completing at once gives way after this many rounds or bytes; otherwise one fast peer starves
    // a thousand.
    private const int MaxSynchronousRounds = 16;
    private const int MaxSynchronousBytes = 256 * 1024;

    // A connection talks once it has sent this many batches without a pause. One that logs in, says hello and falls silent must
    // not keep its 64 KB; one that talks on has paid no more than this many extra system calls.
    private const int TalkingFrom = 8;

    // Less room than this at the end of a block is not worth a receive.
    private const int MinReceiveBytes = 4096;

    private readonly Pipe _pipe;
    private ValueTask _handling; // of the frame at which the batch paused
    private long _lastReceive;
    private readonly long _silentTicks;

    /// <summary>When bytes last arrived, in ticks of the server's <see cref="TimeProvider"/>.</summary>
    internal long LastReceiveTimestamp => Volatile.Read(ref _lastReceive);

    private bool MustWaitForReader => Volatile.Read(ref _outboundBytes) > _services.Options.MaxOutboundBytes / 2;

    /// <summary>Starts to receive. Once.</summary>
    internal void Start() => _ = RunAsync();

    /// <inheritdoc/>
    FrameVerdict IFrameSink.OnFrame(in Frame frame)
    {
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
        return _cork is { } cork && cork.Bytes > _services.Options.MaxOutboundBytes / 2 ? FrameVerdict.Pause : FrameVerdict.Continue;
    }

    private async Task RunAsync()
    {
        try
        {
            await ReceiveAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // Nothing above throws because of a peer, so this is a fault of ours; it costs this connection alone.
            ConnectionLog.ReceiveFault(_services.Logger, e, Id);
            SetReason(CloseReason.TransportFault);
        }

        try
        {
            await FinishAsync().ConfigureAwait(false);
        }
        finally
        {
            End();
        }
    }

    private async Task ReceiveAsync()
    {
        int quick = 0; // batches in a row without a pause
        int rounds = 0;
        int bytes = 0;
        int missing = 0;
        while (true)
        {
            if (quick < TalkingFrom)
            {
                await _link.WaitForDataAsync().ConfigureAwait(false);
            }

            Memory<byte> memory = _pipe.Writer.GetMemory(Math.Clamp(missing, MinReceiveBytes, SegmentPool.ReceiveBytes));
            ValueTask<int> receive = _link.ReceiveAsync(memory);
            bool synchronous = receive.IsCompleted;
            int received = await receive.ConfigureAwait(false);
            if (received == 0)
            {
                return;
            }

            long now = _services.Time.GetTimestamp();
            quick = now - _lastReceive < _silentTicks ? quick + 1 : 0;
            Volatile.Write(ref _lastReceive, now);
            _services.Metrics.Add(Counter.Receives);
            _services.Metrics.Add(Counter.BytesReceived, received);

            _pipe.Writer.Advance(received);
            _ = _pipe.Writer.FlushAsync(); // completes at once: see ConnectionServices.PipeOptions
            _pipe.Reader.TryRead(out ReadResult result);
            ReadOnlySequence<byte> buffer = result.Buffer;
            FrameBatch batch = Dispatch(in buffer, 0, now);
            while (batch.Verdict == FrameVerdict.Pause && await HandledAsync().ConfigureAwait(false))
            {
                if (MustWaitForReader)
                {
                    await WaitForReaderAsync().ConfigureAwait(false);
                }

                batch = Dispatch(in buffer, batch.ConsumedBytes, now);
            }

            missing = batch.MissingBytes;
            if (_state == State.Open && batch.Status is DecodeStatus.TooLarge or DecodeStatus.Malformed)
            {
                Refuse(batch.Status);
            }

            // A closing connection receives on, to see the peer's end, but looks at nothing any more.
            SequencePosition consumed = _state == State.Open ? buffer.GetPosition(batch.ConsumedBytes) : buffer.End;
            _pipe.Reader.AdvanceTo(consumed, buffer.End);
            if (_state == State.Ended)
            {
                return;
            }

            if (MustWaitForReader)
            {
                await WaitForReaderAsync().ConfigureAwait(false);
            }

            bytes += received;
            if (!synchronous)
            {
                (rounds, bytes) = (0, 0);
            }
            else if (++rounds >= MaxSynchronousRounds || bytes >= MaxSynchronousBytes)
            {
                (rounds, bytes) = (0, 0);
                await Task.Yield();
            }
        }
    }

    /// <summary>Handles the whole frames from an offset on, then flushes their answers: one send for all of them.</summary>
    private FrameBatch Dispatch(in ReadOnlySequence<byte> buffer, long offset, long receivedAt)
    {
        if (_state != State.Open)
        {
            return new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Stop, offset, 0, 0);
        }

        FrameBatch batch = default;
        bool answered = false;
        _batchThread = Environment.CurrentManagedThreadId;
        try
        {
            batch = _services.Format.DecodeBatch(in buffer, offset, this);
        }
        catch (Exception e)
        {
            OnHandlerFault(e);
            batch = new FrameBatch(DecodeStatus.Frame, FrameVerdict.Stop, offset, 0, 0);
        }
        finally
        {
            _batchThread = 0;
            answered = _cork is not null;
            if (answered)
            {
                Uncork();
            }
        }

        _services.Metrics.Add(Counter.FramesReceived, batch.Frames);
        if (answered)
        {
            // Frames that only went to a room are timed by the room, when it hands their broadcasts over.
            _services.Metrics.RecordLatency(_services.Time.GetTimestamp() - receivedAt, Math.Max(1, batch.Frames));
        }

        return batch;
    }

    /// <summary>Waits for the handler at which the batch paused.</summary>
    /// <returns>Whether to go on.</returns>
    private async ValueTask<bool> HandledAsync()
    {
        try
        {
            await _handling.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            OnHandlerFault(e);
        }

        _handling = default;
        return _state == State.Open;
    }

    private void OnHandlerFault(Exception exception)
    {
        if (exception is OperationCanceledException && _state == State.Ended)
        {
            return; // the handler heeded the token: no fault
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

    /// <summary>
    /// A peer that asks faster than it reads the answers is not read any further until it has read: TCP then slows it down. That
    /// is no fault of its own, unlike a full queue.
    /// </summary>
    private async ValueTask WaitForReaderAsync()
    {
        _services.Metrics.Add(Counter.ReadPauses);
        await WaitUntilQueuedAsync(_services.Options.MaxOutboundBytes / 4).ConfigureAwait(false);
    }

    /// <summary>After the last receive: delivers what is still queued if the peer only ended its own direction, then lets everything go.</summary>
    private async Task FinishAsync()
    {
        if (_link.EndReason == CloseReason.PeerClosed)
        {
            Close(CloseReason.PeerClosed); // keeps an earlier reason
            await WaitUntilQueuedAsync(0).ConfigureAwait(false);
            SetEnded();
        }
        else
        {
            Abort(_link.EndReason);
        }

        // Memory without a byte to send (a frame whose writer threw), and what another thread's abort has not come to yet.
        DropPending();
        await SendsEndedAsync().ConfigureAwait(false);
        await _pipe.Reader.CompleteAsync().ConfigureAwait(false);
        await _pipe.Writer.CompleteAsync().ConfigureAwait(false);
    }

    private void SetEnded()
    {
        CancellationTokenSource? aborted;
        lock (_stateGate)
        {
            _state = State.Ended;
            aborted = _aborted;
        }

        Cancel(aborted);
    }
}
