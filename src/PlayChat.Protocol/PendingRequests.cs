using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Protocol;

/// <summary>The requests of one connection that wait for their answers, by request id. Thread-safe.</summary>
internal sealed class PendingRequests
{
    private readonly object _gate = new();
    private readonly Dictionary<ushort, PendingRequest> _byId = [];
    private ushort _lastId;
    private Func<Exception>? _closed;

    /// <summary>Requests that wait.</summary>
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

    /// <summary>Gives the request an id from 1 to 65,535 that no other has. The caller keeps the number of requests below that.</summary>
    /// <remarks>Ids are taken in turn, so that a late answer to a request that was given up meets no other: 65,535 later ones may pass before.</remarks>
    /// <exception cref="ChatConnectionClosedException">The connection has ended.</exception>
    public ushort Add(PendingRequest request)
    {
        lock (_gate)
        {
            if (_closed is not null)
            {
                throw _closed();
            }

            do
            {
                _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1);
            }
            while (!_byId.TryAdd(_lastId, request));

            return _lastId;
        }
    }

    public bool TryGet(ushort id, [MaybeNullWhen(false)] out PendingRequest request)
    {
        lock (_gate)
        {
            return _byId.TryGetValue(id, out request);
        }
    }

    public void Remove(ushort id)
    {
        lock (_gate)
        {
            _byId.Remove(id);
        }
    }

    /// <summary>Fails every request that waits, and every one that comes later. Only the first call counts.</summary>
    /// <param name="why">Makes an exception of its own for each: they are thrown on different threads.</param>
    public void Close(Func<Exception> why)
    {
        PendingRequest[] waiting;
        lock (_gate)
        {
            if (_closed is not null)
            {
                return;
            }

            _closed = why;
            waiting = [.. _byId.Values];
            _byId.Clear();
        }

        foreach (PendingRequest request in waiting)
        {
            request.Fail(why());
        }
    }
}
