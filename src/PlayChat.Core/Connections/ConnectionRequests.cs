using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

/// <summary>What a connection has asked its peer and has not been answered yet. Thread-safe.</summary>
/// <param name="connection">Whose requests they are.</param>
/// <param name="limit">How many may wait.</param>
internal sealed class ConnectionRequests(Connection connection, int limit)
{
    private readonly Dictionary<ushort, PendingRequest> _outstanding = []; // locked while it is used, and with it:
    private readonly HashSet<ushort> _awaited = []; // kinds of packets that were ever awaited: such a one with a request id is an answer, late or not
    private ushort _lastId;
    private CloseReason _closed;
    private int _count;
    private long _owed; // answers for which nobody waits any more
    private int _unasked; // answers in a row that nobody had asked for

    /// <summary>Whether any waits.</summary>
    internal bool HasAny => Volatile.Read(ref _count) > 0;

    /// <summary>Takes a request in and gives it its id; it may be sent then.</summary>
    /// <param name="request">The request.</param>
    /// <param name="packetIds">All kinds of packets that may answer it.</param>
    /// <exception cref="TooManyRequestsException">So many wait already.</exception>
    /// <exception cref="ConnectionClosedException">There is no connection any more.</exception>
    internal void Begin(PendingRequest request, ReadOnlySpan<ushort> packetIds)
    {
        lock (_outstanding)
        {
            if (_closed != CloseReason.None)
            {
                throw new ConnectionClosedException(connection, _closed);
            }

            if (_outstanding.Count >= limit)
            {
                throw new TooManyRequestsException(limit);
            }

            do
            {
                _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1);
            }
            while (_outstanding.ContainsKey(_lastId));

            request.Id = _lastId;
            _outstanding.Add(_lastId, request);
            Volatile.Write(ref _count, _outstanding.Count);
            foreach (ushort packetId in packetIds)
            {
                _awaited.Add(packetId);
            }
        }
    }

    /// <summary>Nobody waits for the answer any more. May be repeated.</summary>
    internal void End(PendingRequest request)
    {
        lock (_outstanding)
        {
            if (_outstanding.TryGetValue(request.Id, out PendingRequest? there) && ReferenceEquals(there, request))
            {
                Remove(request);
                _owed++;
            }
        }
    }

    /// <summary>Hands an answer over to whoever waits for it.</summary>
    /// <returns>Whether the frame is an answer; one for which nobody waits any more is dropped.</returns>
    internal bool TryAnswer(in Frame frame)
    {
        if (frame.RequestId == 0)
        {
            return false;
        }

        PendingRequest? request;
        bool isTooMuch = false;
        lock (_outstanding)
        {
            if (!_awaited.Contains(frame.PacketId))
            {
                return false;
            }

            if (_outstanding.TryGetValue(frame.RequestId, out request) && request.Awaits(frame.PacketId))
            {
                Remove(request);
                _unasked = 0;
            }
            else
            {
                request = null;
                if (_owed > 0)
                {
                    _owed--; // came too late
                }
                else
                {
                    isTooMuch = ++_unasked == limit + 1;
                }
            }
        }

        if (request is null)
        {
            connection.OnAnswerDropped(isTooMuch);
        }
        else
        {
            request.Answer(in frame);
        }

        return true;
    }

    /// <summary>There will be no more answers: fails all that wait, and those that are yet made. May be repeated.</summary>
    internal void Close(CloseReason reason)
    {
        PendingRequest[] failed;
        lock (_outstanding)
        {
            if (_closed != CloseReason.None)
            {
                return;
            }

            _closed = reason;
            failed = [.. _outstanding.Values];
            _outstanding.Clear();
            Volatile.Write(ref _count, 0);
        }

        foreach (PendingRequest request in failed)
        {
            request.Fail(new ConnectionClosedException(connection, reason));
        }
    }

    private void Remove(PendingRequest request)
    {
        _outstanding.Remove(request.Id);
        Volatile.Write(ref _count, _outstanding.Count);
    }
}
