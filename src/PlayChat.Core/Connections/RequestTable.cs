using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

/// <summary>The requests that one peer has not answered yet. Thread-safe.</summary>
/// <remarks>
/// <para>A kind of packet that a request of this connection has ever awaited counts as an answer when it carries an id. The table hands
/// it to the request with this id, which fails if it awaits another kind, or drops it before it reaches the router. More than
/// <paramref name="limit"/> answers in a row to no request break the protocol.</para>
/// <para>Invariants: no two requests in the table have the same id, none has the id 0, and there are at most <paramref name="limit"/>. Once
/// the table is closed it is empty and stays so. No request is completed while the table is locked.</para>
/// </remarks>
/// <param name="connectionId">Names the connection in the exception that a closed table throws.</param>
/// <param name="limit">How many requests may wait.</param>
internal sealed class RequestTable(long connectionId, int limit)
{
    private readonly Dictionary<ushort, OpenRequest> _outstanding = []; // locked while anything here is used

    // Kinds of packets that were ever awaited: such a packet with a request id is an answer, late or not.
    private readonly HashSet<ushort> _awaited = [];
    private ushort _lastId;
    private CloseReason _closed;
    private long _owed; // answers that may still come to requests that were given up
    private int _unasked; // answers in a row that were never asked for

    /// <summary>Adds a request and gives it its id. The caller sends it after that.</summary>
    /// <param name="request">The request.</param>
    /// <param name="packetIds">All kinds of packets that may answer it.</param>
    /// <exception cref="TooManyRequestsException">The limit is reached.</exception>
    /// <exception cref="ConnectionClosedException">The table is closed.</exception>
    internal void Begin(OpenRequest request, ReadOnlySpan<ushort> packetIds)
    {
        lock (_outstanding)
        {
            if (_closed != CloseReason.None)
            {
                throw new ConnectionClosedException(connectionId, _closed);
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
            foreach (ushort packetId in packetIds)
            {
                _awaited.Add(packetId);
            }
        }
    }

    /// <summary>Removes a request, such as one that timed out: its answer is dropped if it still arrives. May be repeated.</summary>
    internal void End(OpenRequest request)
    {
        lock (_outstanding)
        {
            if (_outstanding.TryGetValue(request.Id, out OpenRequest? there) && ReferenceEquals(there, request))
            {
                _outstanding.Remove(request.Id);
                _owed++;
            }
        }
    }

    /// <summary>Hands a frame to the request that it answers.</summary>
    internal AnswerResult TryAnswer(in Frame frame)
    {
        if (frame.RequestId == 0)
        {
            return AnswerResult.NoAnswer;
        }

        OpenRequest? request;
        lock (_outstanding)
        {
            bool isOutstanding = _outstanding.TryGetValue(frame.RequestId, out request);
            if (!_awaited.Contains(frame.PacketId))
            {
                if (isOutstanding)
                {
                    request!.OtherPacketId = frame.PacketId; // a request of the peer's own, or the answer to the wrong question
                }

                return AnswerResult.NoAnswer;
            }

            if (!isOutstanding)
            {
                if (_owed > 0)
                {
                    _owed--; // it came too late
                    return AnswerResult.Dropped;
                }

                return ++_unasked == limit + 1 ? AnswerResult.TooMany : AnswerResult.Dropped;
            }

            _outstanding.Remove(request!.Id);
            _unasked = 0;
        }

        request.Answer(in frame);
        return AnswerResult.Taken;
    }

    /// <summary>
    /// Hands a frame of a known kind that nothing handles to the request whose id it carries. The request then fails, because it awaits
    /// another answer.
    /// </summary>
    /// <returns><see langword="false"/> if it carries the id of none.</returns>
    internal bool TryAnswerUnhandled(in Frame frame)
    {
        OpenRequest? request;
        lock (_outstanding)
        {
            if (!_outstanding.Remove(frame.RequestId, out request))
            {
                return false;
            }
        }

        request.Answer(in frame);
        return true;
    }

    /// <summary>Fails all requests, and every request that is added later. May be repeated.</summary>
    internal void Close(CloseReason reason)
    {
        OpenRequest[] failed;
        lock (_outstanding)
        {
            if (_closed != CloseReason.None)
            {
                return;
            }

            _closed = reason;
            failed = [.. _outstanding.Values];
            _outstanding.Clear();
        }

        foreach (OpenRequest request in failed)
        {
            request.Fail(new ConnectionClosedException(connectionId, reason));
        }
    }
}
