namespace PlayChat.Core.Connections;

/// <summary>The requests that one peer has not answered yet. Thread-safe.</summary>
/// <remarks>
/// <para>A kind of packet that a request of this connection has ever awaited counts as an answer when it carries an id. The table hands
/// it to the request with this id, which fails if it awaits another kind, or drops it before it reaches the router. More than
/// <paramref name="limit"/> answers in a row to no request break the protocol.</para>
/// <para>
/// Invariants: a request of the table is in the slot that the low bits of its id name. No two have the same id, none has the id 0 or that
/// of a request that was given up and may still be answered, and there are at most <paramref name="limit"/>. The timer is set to the
/// earliest deadline in the table or to an earlier time. Once the table is closed it is empty and stays so. The code that takes a request
/// out of the table completes it; no request is completed while the table is locked.
/// </para>
/// </remarks>
/// <param name="connectionId">Names the connection in the exception that a closed table throws.</param>
/// <param name="limit">How many requests may wait.</param>
/// <param name="failureIds">Kinds of packets that answer any request.</param>
/// <param name="time">The clock of the deadlines.</param>
internal sealed class RequestTable(long connectionId, int limit, IEnumerable<ushort> failureIds, TimeProvider time)
{
    // When more requests than this were given up and not answered, the peer does not answer, and their ids are used again, the oldest
    // first.
    private const int MaxReserved = (ushort.MaxValue + 1) / 2;

    // A run of answers is one work item, so it must end before it has held its thread for long.
    private const int MaxRun = 256;

    private readonly object _gate = new(); // locked while anything here is used, but for the run

    // Kinds of packets that were ever awaited: such a packet with a request id is an answer, late or not.
    private readonly HashSet<ushort> _awaited = [.. failureIds];

    // The ids of requests that were given up and may still be answered.
    private readonly HashSet<ushort> _reserved = [];
    private OpenRequest?[] _slots = new OpenRequest?[16];
    private int _count;
    private ushort _lastId;
    private int _lastAwaited = -1; // as a rule the next request awaits the same kind: no look into the set
    private CloseReason _closed;
    private int _unasked; // answers in a row that were never asked for
    private ITimer? _timer; // made with the first deadline
    private long _timerDue = long.MaxValue;

    // Answered requests whose continuations have not been queued, in their order. The receive loop's own.
    private OpenRequest? _firstOfRun;
    private OpenRequest? _lastOfRun;
    private int _runLength;

    /// <summary>Adds a request and gives it its id. The caller sends it after that.</summary>
    /// <exception cref="TooManyRequestsException">The limit is reached.</exception>
    /// <exception cref="ConnectionClosedException">The table is closed.</exception>
    internal void Begin(OpenRequest request)
    {
        lock (_gate)
        {
            if (_closed != CloseReason.None)
            {
                throw new ConnectionClosedException(connectionId, _closed);
            }

            if (_count >= limit)
            {
                throw new TooManyRequestsException(limit);
            }

            if (2 * _count >= _slots.Length && _slots.Length <= ushort.MaxValue)
            {
                Grow();
            }

            request.Id = TakeId();
            SlotOf(request.Id) = request;
            _count++;
            if (request.AnswerId != _lastAwaited)
            {
                _awaited.Add(request.AnswerId);
                _lastAwaited = request.AnswerId;
            }

            if (request.Deadline < _timerDue)
            {
                SetTimer(request.Deadline, time.GetTimestamp());
            }
        }
    }

    /// <summary>Takes a request out of the table.</summary>
    /// <param name="request">The request.</param>
    /// <param name="wasSent">Whether it may still be answered: the answer is dropped then, and no request gets its id before.</param>
    /// <returns>Whether the caller completes it; else it was in the table no more.</returns>
    internal bool TryEnd(OpenRequest request, bool wasSent = true)
    {
        lock (_gate)
        {
            if (!ReferenceEquals(SlotOf(request.Id), request))
            {
                return false;
            }

            Remove(request);
            if (wasSent)
            {
                _reserved.Add(request.Id);
            }

            return true;
        }
    }

    /// <summary>Hands a frame to the request that it answers. <see cref="ContinueAnswered"/> follows.</summary>
    internal AnswerResult TryAnswer(in Frame frame)
    {
        if (frame.RequestId == 0)
        {
            return AnswerResult.NoAnswer;
        }

        OpenRequest? request;
        lock (_gate)
        {
            request = Find(frame.RequestId);
            if (request?.AnswerId != frame.PacketId && !_awaited.Contains(frame.PacketId))
            {
                if (request is not null)
                {
                    request.OtherPacketId = frame.PacketId; // a request of the peer's own, or the answer to the wrong question
                }

                return AnswerResult.NoAnswer;
            }

            if (request is null)
            {
                return _reserved.Remove(frame.RequestId) || ++_unasked != limit + 1
                    ? AnswerResult.Dropped // it came too late, or was not asked for
                    : AnswerResult.TooMany;
            }

            Remove(request);
            _unasked = 0;
        }

        Answer(request, in frame);
        return AnswerResult.Taken;
    }

    /// <summary>
    /// Hands a frame of a known kind that nothing handles to the request whose id it carries. The request then fails, because it awaits
    /// another answer. <see cref="ContinueAnswered"/> follows.
    /// </summary>
    /// <returns><see langword="false"/> if it carries the id of none.</returns>
    internal bool TryAnswerUnhandled(in Frame frame)
    {
        OpenRequest? request;
        lock (_gate)
        {
            request = Find(frame.RequestId);
            if (request is null)
            {
                return false;
            }

            Remove(request);
        }

        Answer(request, in frame);
        return true;
    }

    /// <summary>
    /// Queues the continuations of the requests that were answered since the last call: one after the other, in the order of the answers.
    /// Called by the receive loop at the end of a batch, and before it calls a handler.
    /// </summary>
    internal void ContinueAnswered()
    {
        if (_firstOfRun is { } first)
        {
            (_firstOfRun, _lastOfRun, _runLength) = (null, null, 0);
            OpenRequest.Continue(first);
        }
    }

    /// <summary>Fails all requests, and every request that is added later. May be repeated.</summary>
    internal void Close(CloseReason reason)
    {
        OpenRequest[] failed;
        lock (_gate)
        {
            if (_closed != CloseReason.None)
            {
                return;
            }

            _closed = reason;
            failed = [.. _slots.OfType<OpenRequest>()];
            Array.Clear(_slots);
            _count = 0;
            _timer?.Dispose();
            _timer = null;
        }

        foreach (OpenRequest request in failed)
        {
            request.Fail(new ConnectionClosedException(connectionId, reason));
        }
    }

    private void Answer(OpenRequest request, in Frame frame)
    {
        if (!request.Answer(in frame))
        {
            return;
        }

        if (_lastOfRun is null)
        {
            _firstOfRun = request;
        }
        else
        {
            _lastOfRun.Append(request);
        }

        _lastOfRun = request;
        if (++_runLength == MaxRun)
        {
            ContinueAnswered();
        }
    }

    private void OnTimer()
    {
        List<OpenRequest>? late = null;
        lock (_gate)
        {
            long now = time.GetTimestamp();
            long next = long.MaxValue;
            foreach (OpenRequest? request in _slots)
            {
                if (request is null)
                {
                    continue;
                }

                if (request.Deadline <= now)
                {
                    Remove(request);
                    _reserved.Add(request.Id);
                    (late ??= []).Add(request);
                }
                else
                {
                    next = Math.Min(next, request.Deadline);
                }
            }

            _timerDue = long.MaxValue;
            if (next < long.MaxValue && _closed == CloseReason.None)
            {
                SetTimer(next, now);
            }
        }

        late?.ForEach(static request => request.Fail(request.CreateTimeout()));
    }

    // From here on: under the gate.
    private ref OpenRequest? SlotOf(ushort id) => ref _slots[id & (_slots.Length - 1)];

    private OpenRequest? Find(ushort id) => SlotOf(id) is { } request && request.Id == id ? request : null;

    private void Remove(OpenRequest request)
    {
        SlotOf(request.Id) = null;
        _count--;
    }

    private ushort TakeId()
    {
        do
        {
            _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1);
        }
        while (SlotOf(_lastId) is not null || (_reserved.Count > 0 && IsReserved(_lastId)));

        return _lastId;
    }

    /// <summary>Whether an id must not be used. Ids are taken in turn, so the first reserved one that is met is the oldest.</summary>
    private bool IsReserved(ushort id) =>
        _reserved.Contains(id) && (_reserved.Count <= Math.Min(MaxReserved, ushort.MaxValue - 1 - _count) || !_reserved.Remove(id));

    private void Grow()
    {
        OpenRequest?[] old = _slots;
        _slots = new OpenRequest?[2 * old.Length];
        foreach (OpenRequest? request in old)
        {
            if (request is not null)
            {
                SlotOf(request.Id) = request;
            }
        }
    }

    private void SetTimer(long deadline, long now)
    {
        _timerDue = deadline;
        // Timers count whole milliseconds and round down: one that came early would be set again. A thread that stood still comes after
        // the deadline, and a timer takes -1 for never.
        TimeSpan due = TimeSpan.FromMilliseconds(Math.Max(0, Math.Ceiling(time.GetElapsedTime(now, deadline).TotalMilliseconds)));
        if (_timer is not null)
        {
            _timer.Change(due, Timeout.InfiniteTimeSpan);
            return;
        }

        // Not in the context of the request that happens to be the first.
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        _timer = time.CreateTimer(static table => ((RequestTable)table!).OnTimer(), this, due, Timeout.InfiniteTimeSpan);
    }
}
