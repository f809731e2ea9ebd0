using System.Buffers;
using PlayChat.Core.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Connections;

// While a handler waits, nothing is received; but what it waits for may be the peer's answer to a request. So as long as a request is
// outstanding, the connection reads ahead meanwhile: answers are handed over at once and taken out, everything else stays in the receive
// buffer, in its order, for when the handler is done.
public sealed partial class Connection
{
    private const int NotPaused = -1;

    private int _pausedAt = NotPaused; // where in the receive buffer the frames behind the handler that waits begin

    private enum AheadState : byte
    {
        Off, // the receive loop goes on by itself
        Busy, // somebody reads ahead; the receive buffer is his
        Pending, // an operation of the link is under way, and its completion reads ahead
        TakenOver, // the same, but the handler is done: the receive loop works on, and will take the operation
        Done, // the same, and it has completed
        Awaited, // the receive loop has nothing left to do but to await it
    }

    /// <summary>
    /// Called by the server's sweep when nothing has come for too long. While a handler waits, what the peer sends lies unread, so its silence is not its own, and
    /// begins anew.
    /// </summary>
    /// <returns><see langword="false"/> when it is its own: we read, or it does not (and the handler may wait for just that).</returns>
    internal bool TryExcuseSilence(long now)
    {
        if (Volatile.Read(ref _pausedAt) == NotPaused
            || Volatile.Read(ref _ahead) is { State: AheadState.Busy or AheadState.Pending }
            || MustWaitForReader
            || Volatile.Read(ref _waiting) is not null)
        {
            return false;
        }

        Volatile.Write(ref _lastReceive, now);
        return true;
    }

    /// <summary>A handler begins to wait.</summary>
    private void BeginPause(long offset)
    {
        // A full fence here and where requests are made: either this sees the request, or that sees the pause.
        Interlocked.Exchange(ref _pausedAt, (int)offset);
        if (Volatile.Read(ref _ahead) is { } ahead)
        {
            if (TryReadAhead(ahead))
            {
                ReadAheadOn(ahead);
            }
        }
    }

    /// <summary>The handler is done.</summary>
    /// <returns>Where in the receive buffer the frames behind it begin.</returns>
    private async ValueTask<int> EndPauseAsync()
    {
        int offset = Interlocked.Exchange(ref _pausedAt, NotPaused);
        if (Volatile.Read(ref _ahead) is not { } ahead)
        {
            return offset;
        }

        Task ended = Task.CompletedTask;
        lock (ahead)
        {
            if (ahead.State == AheadState.Busy)
            {
                ended = (ahead.Ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }
            else if (ahead.State == AheadState.Pending)
            {
                ahead.State = AheadState.TakenOver;
            }
        }

        await ended.ConfigureAwait(false);
        ahead.ReleaseLeft();
        return offset;
    }

    /// <summary>Takes over to read ahead, if a handler waits and there is a reason to.</summary>
    /// <returns>Whether the caller reads ahead now, or lets somebody do it.</returns>
    private bool TryReadAhead(ReadingAhead ahead)
    {
        lock (ahead)
        {
            int offset = Volatile.Read(ref _pausedAt);
            if (offset < 0 || !ahead.Requests.HasAny || ahead.State is AheadState.Busy or AheadState.Pending
                || Interlocked.CompareExchange(ref _pausedAt, 0, offset) != offset)
            {
                return false;
            }

            _inbound.Skip(offset); // the frame stays where it is: its handler may still read in it
            ahead.Scanned = Math.Max(0, ahead.Scanned - offset);
            if (ahead.State == AheadState.TakenOver)
            {
                ahead.State = AheadState.Pending;
                return false;
            }

            ahead.State = AheadState.Busy;
            return true;
        }
    }

    /// <summary>Reads ahead until an operation has to be awaited, or there is no reason to any more.</summary>
    private void ReadAheadOn(ReadingAhead ahead)
    {
        int rounds = 0;
        int bytes = 0;
        try
        {
            while (Examine(ahead) && GoesOnAhead(ahead) && TryReceiveAhead(ahead))
            {
                // As the receive loop gives way: what is dropped takes no room, so a flood of it would hold the thread until the request times out.
                bytes += ahead.Received;
                if (++rounds >= MaxSynchronousRounds || bytes >= MaxSynchronousBytes)
                {
                    LocalWork.Queue(ahead);
                    return;
                }
            }
        }
        catch (Exception e)
        {
            // As in the receive loop: no peer's doing, and it costs this connection alone.
            ConnectionLog.ReceiveFault(_services.Logger, e, Id);
            Abort(CloseReason.TransportFault);
            Stop(ahead, AheadState.Off);
        }
    }

    /// <summary>Takes what the last operation has brought.</summary>
    /// <returns><see langword="false"/> when that is the link's end.</returns>
    private bool Examine(ReadingAhead ahead)
    {
        int received = 0;
        if (ahead.Operation == Step.Receive)
        {
            received = ahead.Received;
            if (received == 0)
            {
                // The receive loop ends the connection when it comes here; but nobody need wait for answers until then.
                ahead.Requests.Close(CloseReason != CloseReason.None ? CloseReason : _link.EndReason);
                Stop(ahead, AheadState.Done);
                return false;
            }

            ahead.Operation = Step.None;
            _inbound.Advance(received);
            Volatile.Write(ref _lastReceive, _services.Time.GetTimestamp()); // a peer that answers is alive
        }

        if (ahead.Operation == Step.None && _state == State.Open)
        {
            int answers = TakeAnswers(ahead);
            _services.Metrics.CountReceived(received, answers);
        }

        return true;
    }

    /// <summary>Hands the answers over that have come, and takes them out of the receive buffer.</summary>
    /// <returns>How many they were.</returns>
    private int TakeAnswers(ReadingAhead ahead)
    {
        int answers = 0;
        int next = ahead.Scanned;
        int kept = next; // what stays moves up to here
        ReadOnlySequence<byte> unread = _inbound.Unread;
        while (true)
        {
            FrameBatch one = _services.Format.DecodeBatch(in unread, next, ahead);
            if (one.Verdict != FrameVerdict.Pause)
            {
                // What is wrong with it is said when it is its turn.
                ahead.IsReadable = one.Status == DecodeStatus.NeedMoreData;
                ahead.Missing = one.MissingBytes;
                break;
            }

            int end = (int)one.ConsumedBytes;
            if (ahead.IsAnswer)
            {
                answers++;
            }
            else
            {
                _inbound.MoveUp(next, end - next, kept);
                kept += end - next;
            }

            next = end;
        }

        int rest = (int)unread.Length - next;
        _inbound.MoveUp(next, rest, kept);
        _inbound.Cut(next - kept);
        ahead.Scanned = kept;
        return answers;
    }

    private static bool GoesOnAhead(ReadingAhead ahead)
    {
        lock (ahead) // whoever makes a request meanwhile waits here, and then sees that nobody reads ahead
        {
            if (ahead.Ended is null && ahead.Requests.HasAny && ahead.IsReadable && !InboundBuffer.IsFull(ahead.Scanned))
            {
                return true;
            }

            ahead.Operation = Step.None; // if there is something to receive, the receive loop will see it
            Stop(ahead, AheadState.Off);
            return false;
        }
    }

    /// <summary>Waits until there is something to receive, without memory, and then receives it.</summary>
    /// <returns><see langword="false"/> when that goes on elsewhere.</returns>
    private bool TryReceiveAhead(ReadingAhead ahead)
    {
        if (ahead.Operation != Step.Wait)
        {
            ValueTask wait = _link.WaitForDataAsync();
            if (!wait.IsCompleted)
            {
                ahead.Wait = wait;
                ahead.Operation = Step.Wait;
                Stop(ahead, AheadState.Pending);
                wait.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(ahead.Completed ??= OnAheadCompleted);
                return false;
            }

#pragma warning disable VSTHRD002 // it has completed
            wait.GetAwaiter().GetResult();
        }

        ahead.Operation = Step.Receive;
        Memory<byte> room = _inbound.GetMemoryBehind(ahead.Missing, _services.Pool, out Segment? left);
        ahead.Leave(left);
        ValueTask<int> receive = _link.ReceiveAsync(room);
        if (!receive.IsCompleted)
        {
            ahead.Receive = receive;
            Stop(ahead, AheadState.Pending);
            receive.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(ahead.Completed ??= OnAheadCompleted);
            return false;
        }

        ahead.Received = receive.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        return true;
    }

    /// <summary>Reads ahead no further on this thread.</summary>
    private static void Stop(ReadingAhead ahead, AheadState state)
    {
        TaskCompletionSource? ended;
        lock (ahead)
        {
            ended = ahead.Ended;
            ahead.Ended = null;
            ahead.State = state == AheadState.Pending && ended is not null ? AheadState.TakenOver : state;
        }

        ended?.SetResult();
    }

    private void OnAheadCompleted()
    {
        ReadingAhead ahead = _ahead!;
        TakeResult(ahead);
        bool isAwaited;
        lock (ahead)
        {
            if (ahead.State == AheadState.TakenOver)
            {
                ahead.State = AheadState.Done;
                return;
            }

            isAwaited = ahead.State == AheadState.Awaited;
            ahead.State = isAwaited ? AheadState.Off : AheadState.Busy;
        }

        if (isAwaited)
        {
            GiveOperation(ahead);
            GoOn();
        }
        else
        {
            ReadAheadOn(ahead);
        }
    }

    /// <summary>The receive loop, which has handled everything, takes over what was begun ahead of it.</summary>
    /// <returns><see langword="false"/> when that goes on where the operation completes; else the step is set that has been done, if any.</returns>
    private bool TakeOver()
    {
        ReadingAhead ahead = _ahead!;
        lock (ahead)
        {
            ahead.Scanned = 0;
            if (ahead.State == AheadState.TakenOver)
            {
                ahead.State = AheadState.Awaited;
                return false;
            }

            if (ahead.State == AheadState.Done)
            {
                ahead.State = AheadState.Off;
                GiveOperation(ahead);
            }

            return true;
        }
    }

    /// <summary>Whether bytes are being received, or have been, behind those that wait: nothing may be moved then.</summary>
    private bool ReceivesBehind() => _ahead is { State: not AheadState.Off, Operation: Step.Receive };

    private void TakeResult(ReadingAhead ahead)
    {
        try
        {
#pragma warning disable VSTHRD002 // they have completed: this is their continuation
            if (ahead.Operation == Step.Wait)
            {
                ahead.Wait.GetAwaiter().GetResult();
            }
            else
            {
                ahead.Received = ahead.Receive.GetAwaiter().GetResult();
            }
#pragma warning restore VSTHRD002
        }
        catch (Exception e)
        {
            // As in the receive loop.
            ConnectionLog.ReceiveFault(_services.Logger, e, Id);
            SetReason(CloseReason.TransportFault);
            (ahead.Operation, ahead.Received) = (Step.Receive, 0);
        }
    }

    /// <summary>Gives the operation that has completed to the receive loop, as its own.</summary>
    private void GiveOperation(ReadingAhead ahead)
    {
        _step = ahead.Operation;
        _wait = default;
        _receive = new ValueTask<int>(ahead.Received);
        ahead.Operation = Step.None;
    }

    /// <summary>What a connection that makes requests needs to read ahead. Locked while its state changes; the rest is whose the state says.</summary>
    private sealed class ReadingAhead(Connection connection, ConnectionRequests requests) : IFrameSink, IThreadPoolWorkItem
    {
        private Segment? _left;

        internal ConnectionRequests Requests { get; } = requests;

        internal AheadState State { get; set; }

        /// <summary>The operation of the link that is under way or has completed: to wait, or to receive.</summary>
        internal Step Operation { get; set; }

        internal ValueTask Wait { get; set; }

        internal ValueTask<int> Receive { get; set; }

        /// <summary>What the receive has brought; 0 is the end.</summary>
        internal int Received { get; set; }

        internal Action? Completed { get; set; }

        /// <summary>Set while the receive loop awaits that nobody is busy here.</summary>
        internal TaskCompletionSource? Ended { get; set; }

        /// <summary>How many of the bytes that wait are whole frames and no answers.</summary>
        internal int Scanned { get; set; }

        /// <summary>What the frame behind them still lacks.</summary>
        internal int Missing { get; set; }

        /// <summary>Whether what is behind them may be the start of a frame.</summary>
        internal bool IsReadable { get; set; }

        /// <summary>Whether the frame that was looked at last is an answer.</summary>
        internal bool IsAnswer { get; private set; }

        /// <summary>Goes on to read ahead, when it was left for later.</summary>
        void IThreadPoolWorkItem.Execute() => connection.ReadAheadOn(this);

        FrameVerdict IFrameSink.OnFrame(in Frame frame)
        {
            IsAnswer = Requests.TryAnswer(in frame);
            return FrameVerdict.Pause; // one at a time: where each begins is known only from where the one before it ended
        }

        /// <summary>Keeps the memory that the handler's frame is in.</summary>
        internal void Leave(Segment? segment)
        {
            if (_left is null)
            {
                _left = segment;
            }
            else
            {
                segment?.Release();
            }
        }

        internal void ReleaseLeft()
        {
            _left?.Release();
            _left = null;
        }
    }
}
