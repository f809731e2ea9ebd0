using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>The requests of one client that wait for their answers, by request id. Thread-safe.</summary>
/// <remarks>
/// They outlive a broken connection: held, and sent again in their order on the next one. A request that is not repeatable is sent once.
/// </remarks>
internal sealed class PendingRequests
{
    // Servers that name each other would send a client to and fro without end.
    private const int MaxRedirects = 3;

    private readonly object _gate = new();
    private readonly Dictionary<ushort, PendingRequest> _byId = [];
    private ushort _lastId;
    private long _lastOrder;
    private Func<Exception>? _closed;
    private volatile Connection? _connection; // written under _gate

    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _byId.Count;
            }
        }
    }

    /// <summary>Where requests go; null while they are held.</summary>
    public Connection? Connection => _connection;

    /// <summary>Gives the request an id from 1 to 65,535 that no other has. The caller keeps the number of requests below that.</summary>
    /// <remarks>
    /// Ids are taken in turn, so that a late answer to a request that was given up meets no other: 65,535 later ones may pass before.
    /// </remarks>
    /// <param name="request">The request.</param>
    /// <param name="connection">Where the caller sends it; null when it is held, and sent later.</param>
    /// <exception cref="ChatConnectionClosedException">The connection has ended.</exception>
    public ushort Add(PendingRequest request, out Connection? connection)
    {
        lock (_gate)
        {
            connection = _connection;
            request.IsSent = request.WasSent = connection is not null;
            request.IsHeldInBreaks = true;
            return Add(request);
        }
    }

    /// <summary>
    /// As the other, for a request that the caller sends itself on a connection of its own choice, and that is not sent again.
    /// </summary>
    public ushort AddSent(PendingRequest request)
    {
        lock (_gate)
        {
            request.IsSent = true;
            return Add(request);
        }
    }

    public bool TryGet(ushort id, [MaybeNullWhen(false)] out PendingRequest request)
    {
        lock (_gate)
        {
            return _byId.TryGetValue(id, out request);
        }
    }

    /// <summary>A server has named another server for a request, which was not carried out: it is sent again there.</summary>
    /// <returns>False when the request is not sent again, or servers have sent it on too often.</returns>
    public bool TryRedirect(ushort id)
    {
        lock (_gate)
        {
            if (!_byId.TryGetValue(id, out PendingRequest? request) || !request.IsHeldInBreaks || request.Redirects == MaxRedirects)
            {
                return false;
            }

            request.Redirects++;
            request.WasSent = false;
            return true;
        }
    }

    public void Remove(ushort id)
    {
        lock (_gate)
        {
            _byId.Remove(id);
        }
    }

    /// <summary>
    /// The connection has broken: what waits is to be sent again, and what comes is held. A request that has gone out and is not repeatable
    /// fails: whether the server carried it out is not known.
    /// </summary>
    /// <param name="why">Makes an exception of its own for each that fails.</param>
    public void Hold(Func<Exception> why)
    {
        List<PendingRequest> lost;
        lock (_gate)
        {
            _connection = null;
            lost = Take(static request => request is { WasSent: true, IsRepeatable: false });
            foreach (PendingRequest request in _byId.Values)
            {
                request.IsSent = false;
            }
        }

        lost.ForEach(request => request.Fail(why()));
    }

    /// <summary>Sends what is held, in its order, on a new connection; from then on requests go there.</summary>
    public void Release(Connection connection)
    {
        while (TakeHeld(connection) is { Count: > 0 } held)
        {
            foreach ((ushort id, PendingRequest request) in held)
            {
                _ = request.Send(connection, id); // what does not go out waits for the next connection, or for its time to pass
            }
        }
    }

    /// <summary>The rooms that requests ask to leave.</summary>
    public List<(ushort RequestId, long RoomId)> FindLeaves()
    {
        lock (_gate)
        {
            return [.. _byId
                .Where(static entry => entry.Value.LeavesRoomId != 0)
                .Select(static entry => (entry.Key, entry.Value.LeavesRoomId))];
        }
    }

    /// <summary>Fails the requests that have gone out on an earlier connection: whether the server carried them out is not known.</summary>
    /// <param name="why">Makes an exception of its own for each.</param>
    public void FailSent(Func<Exception> why)
    {
        List<PendingRequest> sent;
        lock (_gate)
        {
            sent = Take(static request => request.WasSent);
        }

        sent.ForEach(request => request.Fail(why()));
    }

    /// <summary>Completes requests to leave rooms: the player is out of them on the new connection.</summary>
    public void CompleteLeaves(List<(ushort RequestId, long RoomId)> leaves)
    {
        foreach ((ushort id, long roomId) in leaves)
        {
            if (TryGet(id, out PendingRequest? leave))
            {
                leave.TryComplete(new SLeaveRoomAck { RoomId = roomId });
                Remove(id);
            }
        }
    }

    /// <summary>Fails every request that waits, and every one that comes later. Only the first call counts.</summary>
    /// <param name="why">Makes an exception of its own for each: they are thrown on different threads.</param>
    public void Close(Func<Exception> why)
    {
        List<PendingRequest> waiting;
        lock (_gate)
        {
            if (_closed is not null)
            {
                return;
            }

            _closed = why;
            _connection = null;
            waiting = Take(static _ => true);
        }

        waiting.ForEach(request => request.Fail(why()));
    }

    private ushort Add(PendingRequest request)
    {
        if (_closed is not null)
        {
            throw _closed();
        }

        request.Order = ++_lastOrder;
        do
        {
            _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1);
        }
        while (!_byId.TryAdd(_lastId, request));

        return _lastId;
    }

    // Under _gate.
    private List<PendingRequest> Take(Func<PendingRequest, bool> which)
    {
        List<KeyValuePair<ushort, PendingRequest>> taken = [.. _byId.Where(entry => which(entry.Value))];
        taken.ForEach(entry => _byId.Remove(entry.Key));
        return [.. taken.Select(static entry => entry.Value)];
    }

    private List<KeyValuePair<ushort, PendingRequest>>? TakeHeld(Connection connection)
    {
        lock (_gate)
        {
            List<KeyValuePair<ushort, PendingRequest>> held =
                [.. _byId.Where(static entry => !entry.Value.IsSent).OrderBy(static entry => entry.Value.Order)];
            held.ForEach(static entry => entry.Value.IsSent = entry.Value.WasSent = true);
            if (held.Count == 0 && _closed is null)
            {
                _connection = connection; // nothing can come between this and the look before
            }

            return held;
        }
    }
}
