namespace PlayChat.Connector;

/// <summary>A request that waits for its answer. It ends once, by the first call that succeeds.</summary>
internal abstract class PendingRequest(PacketType question, byte[] body, ushort answerId)
{
    internal PacketType Question => question;

    internal ushort AnswerId => answerId;

    internal ushort Id { get; set; }

    /// <summary>Rises with each request: the order in which they are sent again.</summary>
    internal long Number { get; set; }

    /// <summary>Whether it is sent again on the next connection when the one that it went out on breaks.</summary>
    internal bool Repeats { get; set; }

    /// <summary>Sent on the connection that is there now.</summary>
    internal bool IsSent { get; set; }

    internal byte[] Encode() => Frames.Encode(question.Id, Id, body);

    internal abstract void Fail(Exception error);

    /// <summary>Takes the body of a packet of the awaited kind.</summary>
    internal abstract void Answer(byte[] body);
}

internal sealed class PendingRequest<TResponse>(PacketType question, byte[] body, PacketType<TResponse> answer)
    : PendingRequest(question, body, answer.Id)
{
    private readonly TaskCompletionSource<TResponse> _response = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal Task<TResponse> Response => _response.Task;

    internal override void Fail(Exception error) => _response.TrySetException(error);

    internal void Cancel(CancellationToken cancellationToken) => _response.TrySetCanceled(cancellationToken);

    internal override void Answer(byte[] body)
    {
        try
        {
            _response.TrySetResult(answer.Decode(body));
        }
        catch (Exception e)
        {
            // What a decoder throws is its own choice; it means that the body is no such message.
            _response.TrySetException(new RequestFailedException($"The answer {answer.Name} is malformed: {e.Message}"));
        }
    }
}

/// <summary>The requests that wait, by request id. They outlive a broken connection: they are held, and sent in their order on the next.
/// Thread-safe.</summary>
/// <remarks>Invariants, under <c>_byId</c>: no two requests have the same id, none has the id 0, and after the close none waits.</remarks>
internal sealed class PendingRequests(int limit)
{
    private readonly Dictionary<ushort, PendingRequest> _byId = new();
    private ushort _lastId;
    private long _lastNumber;
    private Link? _link;
    private Func<Exception>? _closed;

    /// <summary>Where requests go; <see langword="null"/> while they are held.</summary>
    internal Link? Link
    {
        get
        {
            lock (_byId)
            {
                return _link;
            }
        }
    }

    /// <summary>Sends a request, or holds it during a break.</summary>
    /// <param name="request">The request.</param>
    /// <param name="link">Where it goes whatever happens; the caller watches the end of the link. Default: the connection of all.</param>
    /// <exception cref="TooManyRequestsException">
    /// The limit is reached, or too much waits to be sent. The limit does not count on <paramref name="link"/>: what is held must not keep
    /// the session from being resumed, which is what sends it.
    /// </exception>
    internal void Add(PendingRequest request, Link? link = null)
    {
        lock (_byId)
        {
            if (_closed is not null)
            {
                throw _closed();
            }

            if ((link is null && _byId.Count >= limit) || (link ?? _link)?.HasRoom == false)
            {
                throw new TooManyRequestsException(_byId.Count);
            }

            // Ids are taken in turn, so that a late answer to a request that was given up meets no other.
            do
            {
                _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1);
            }
            while (_byId.ContainsKey(_lastId));
            (request.Id, request.Number) = (_lastId, ++_lastNumber);
            _byId.Add(request.Id, request);
            if (link is not null)
            {
                link.Send(request.Encode());
                request.IsSent = true;
            }
            else if (_link is not null)
            {
                request.IsSent = _link.Send(request.Encode()); // else it waits for the next connection: the end of this one is on its way
            }
        }
    }

    internal PendingRequest? Find(ushort id)
    {
        lock (_byId)
        {
            return _byId.GetValueOrDefault(id);
        }
    }

    internal void Remove(PendingRequest request)
    {
        lock (_byId)
        {
            if (_byId.TryGetValue(request.Id, out PendingRequest? there) && there == request)
            {
                _byId.Remove(request.Id);
            }
        }
    }

    /// <summary>The connection has broken: what was sent fails unless it repeats, and new requests are held.</summary>
    internal void Hold(Func<Exception> why) => End(static request => request.IsSent && !request.Repeats, why);

    /// <summary>Fails every request that waits and every one that comes later.</summary>
    internal void Close(Func<Exception> why)
    {
        lock (_byId)
        {
            _closed ??= why;
        }

        End(static _ => true, why);
    }

    /// <summary>Sends what is held, in its order. From then on requests go to this link.</summary>
    internal void Release(Link link)
    {
        lock (_byId)
        {
            _link = link;
            foreach (PendingRequest request in _byId.Values.OrderBy(static request => request.Number))
            {
                request.IsSent = request.IsSent || link.Send(request.Encode(), evenIfFull: true);
            }
        }
    }

    private void End(Func<PendingRequest, bool> which, Func<Exception> why)
    {
        PendingRequest[] ended;
        lock (_byId)
        {
            _link = null;
            ended = _byId.Values.Where(which).ToArray();
            foreach (PendingRequest request in ended)
            {
                _byId.Remove(request.Id);
            }

            foreach (PendingRequest request in _byId.Values)
            {
                request.IsSent = false;
            }
        }

        foreach (PendingRequest request in ended)
        {
            request.Fail(why());
        }
    }
}
