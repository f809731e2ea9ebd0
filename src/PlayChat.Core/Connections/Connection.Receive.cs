using System.Buffers;
using System.Runtime.CompilerServices;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Connections;

// The receive loop: what has arrived is parsed and handled where it was received, and only then are the answers flushed. It is
// written as steps that go on where their operation completes; as one async method it would touch an object more a batch, and those
// that a connection does not share with others are cold.
public sealed partial class Connection : IThreadPoolWorkItem
{
    // A loop whose receives keep completing at once gives way after this many rounds or bytes; otherwise one fast peer starves
    // a thousand.
    private const int MaxSynchronousRounds = 16;
    private const int MaxSynchronousBytes = 64 * 1024;

    // A connection talks once it has sent this many batches without a pause. One that logs in, says hello and falls silent must
    // not keep its 64 KB; one that talks on has paid no more than this many extra system calls.
    private const int TalkingFrom = 8;

    private readonly long _silentTicks;
    private InboundBuffer _inbound;
    private Step _step; // the step that is under way
    private ValueTask _wait; // of the steps Wait and Handle
    private ValueTask<int> _receive; // of the step Receive
    private Action? _goOn;
    private long _lastReceive;
    private int _quick; // batches in a row without a pause
    private int _rounds; // receives in a row that completed at once
    private int _roundBytes;
    private int _missing; // what the frame at the end still lacks

    private enum Step : byte
    {
        None,
        Wait, // for something to receive
        Ready, // the same, told by a call
        Receive,
        Handle, // a handler, or a peer that must read first
    }

    /// <summary>When bytes last arrived, or their absence was excused, in ticks of the server's <see cref="TimeProvider"/>.</summary>
    internal long LastReceiveTimestamp => Volatile.Read(ref _lastReceive);

    private bool MustWaitForReader => Volatile.Read(ref _outboundBytes) > _services.Options.MaxOutboundBytes / 2;

    // One that knows when there is something to receive holds no memory until then. The others wait only after silence: it costs a
    // system call.
    private bool WaitsFirst => _link.KnowsReadiness || _quick < TalkingFrom;

    void IThreadPoolWorkItem.Execute() => GoOn();

    /// <summary>Starts to receive. Once.</summary>
    internal void Start() => GoOn();

    private void GoOn()
    {
        try
        {
            if (ReceiveOn())
            {
                return;
            }
        }
        catch (Exception e)
        {
            // Nothing above throws because of a peer, so this is a fault of ours; it costs this connection alone.
            ConnectionLog.ReceiveFault(_services.Logger, e, Id);
            SetReason(CloseReason.TransportFault);
        }

        _ = EndAsync();
    }

    /// <summary>Goes on after the step under way, until one has to wait.</summary>
    /// <returns><see langword="false"/> when the link has ended; otherwise <see cref="GoOn"/> is called again, maybe already.</returns>
    private bool ReceiveOn()
    {
        Step done = _step;
        _step = Step.None;
        if (done == Step.Handle)
        {
            TakeWait();
            if (_ahead is not null)
            {
                if (!TakeOver())
                {
                    return true;
                }

                done = _step;
                _step = Step.None;
            }

            if (_state == State.Ended)
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

            if (!TryHandle(received))
            {
                return true;
            }

            if (_state == State.Ended)
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
    /// <returns><see langword="false"/> when it goes on after a wait.</returns>
    private bool HasData()
    {
        if (_link is not IReadinessSource source)
        {
            return IsDone(_link.WaitForDataAsync(), Step.Wait);
        }

        _step = Step.Ready; // first: it may go on elsewhere at once
        if (source.TryWaitForData(this))
        {
            return false;
        }

        _step = Step.None;
        return true;
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
            receive.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_goOn ??= GoOn);
            return false;
        }

#pragma warning disable VSTHRD002 // it has completed
        received = receive.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        return true;
    }

    /// <summary>Handles what has come.</summary>
    /// <returns><see langword="false"/> when it goes on after a wait.</returns>
    private bool TryHandle(int received)
    {
        long now = _services.Time.GetTimestamp();
        _quick = now - _lastReceive >= _silentTicks ? 0 : Math.Min(_quick + 1, TalkingFrom);
        Volatile.Write(ref _lastReceive, now);
        _inbound.Advance(received);
        FrameBatch batch = Dispatch(offset: 0, now, received);
        if (batch.Verdict == FrameVerdict.Pause || MustWaitForReader)
        {
            return IsDone(HandleRestAsync(batch, now), Step.Handle) && (_ahead is null || GoesOnAtOnce());
        }

        EndBatch(in batch);
        return true;
    }

    /// <summary>After the slow way, when it has not waited: what it may have begun ahead is the loop's now.</summary>
    private bool GoesOnAtOnce()
    {
        if (!TakeOver())
        {
            return false;
        }

        if (_step != Step.None)
        {
            LocalWork.Queue(this);
            return false;
        }

        return true;
    }

    /// <summary>The slow way of a batch: a handler waits for something, or the peer must read first.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask HandleRestAsync(FrameBatch batch, long receivedAt)
    {
        while (batch.Verdict == FrameVerdict.Pause
            && await HandledAsync(batch.ConsumedBytes).ConfigureAwait(false) is >= 0 and var offset)
        {
            if (MustWaitForReader)
            {
                await WaitForReaderAsync().ConfigureAwait(false);
            }

            batch = Dispatch(offset, receivedAt, received: 0);
        }

        if (_ahead is not null && ReceivesBehind())
        {
            Judge(in batch);
            _inbound.Skip(_state == State.Open ? (int)batch.ConsumedBytes : (int)_inbound.Unread.Length);
        }
        else
        {
            EndBatch(in batch);
        }

        if (_state != State.Ended && MustWaitForReader)
        {
            await WaitForReaderAsync().ConfigureAwait(false);
        }
    }

    private void EndBatch(in FrameBatch batch)
    {
        Judge(in batch);
        // A closing connection receives on, to see the peer's end, but looks at nothing any more.
        if (_state == State.Open)
        {
            _inbound.Consume((int)batch.ConsumedBytes);
        }
        else
        {
            _inbound.Clear();
        }

        if (_inboundIsShared)
        {
            _inboundIsShared = false;
            _inbound.LeaveShared(_services.Pool);
        }
        else if (WaitsFirst)
        {
            _inbound.Shrink(_services.Pool);
        }
    }

    private void Judge(in FrameBatch batch)
    {
        _missing = batch.MissingBytes;
        if (_state == State.Open && batch.Status is DecodeStatus.TooLarge or DecodeStatus.Malformed)
        {
            Refuse(batch.Status);
        }
    }

    private bool GivesWay(int received, bool synchronous)
    {
        if (!synchronous)
        {
            (_rounds, _roundBytes) = (0, 0);
            return false;
        }

        _roundBytes += received;
        if (++_rounds < MaxSynchronousRounds && _roundBytes < MaxSynchronousBytes)
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
            step.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_goOn ??= GoOn); // last: it may go on elsewhere at once
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
    /// A peer that asks faster than it reads the answers is not read any further until it has read: TCP then slows it down. That
    /// is no fault of its own, unlike a full queue.
    /// </summary>
    private async ValueTask WaitForReaderAsync()
    {
        _services.Metrics.Add(Counter.ReadPauses);
        await WaitUntilQueuedAsync(_services.Options.MaxOutboundBytes / 4).ConfigureAwait(false);
    }

    private async Task EndAsync()
    {
        try
        {
            await FinishAsync().ConfigureAwait(false);
        }
        finally
        {
            End();
        }
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
        _inbound.Release();
    }

    private void SetEnded()
    {
        CancellationTokenSource? aborted;
        lock (_sendGate)
        {
            _state = State.Ended;
            aborted = _aborted;
        }

        _ = CancelAsync(aborted);
    }
}
