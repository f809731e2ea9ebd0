using System.Collections.Concurrent;
using System.Diagnostics;

namespace PlayChat.Connector;

/// <summary>
/// A client of a game server on PlayChat.Core: packets over TCP, TLS or WebSocket, requests with answers, and one session over all
/// connections.
/// </summary>
/// <remarks>
/// <para>
/// Map the packets, add handlers to the events, then call <see cref="ConnectAsync"/>. When the connection breaks, the client makes another
/// one, with growing waits, and <see cref="ClientOptions.Enter"/> resumes the session there. Requests that were made meanwhile go out then.
/// What <see cref="SendPacket"/> gets meanwhile is dropped.
/// </para>
/// <para>
/// Thread-safe. Handlers of packets and events are called one after the other, in the order in which the packets arrived: on the thread
/// pool, or inside <see cref="Poll"/> with <see cref="ClientOptions.HandleInPoll"/>. Code that awaits an answer continues in its own
/// synchronization context, which in a game engine is the main thread. A packet that follows an answer may be handled before.
/// </para>
/// </remarks>
public sealed class GameClient : IAsyncDisposable
{
    private readonly ConcurrentDictionary<ushort, Mapping> _mappings = new();
    private readonly ConcurrentDictionary<ushort, bool> _unhandled = new(); // what was reported
    private readonly List<Wait> _waits = new();
    private readonly object _gate = new(); // of what follows and of _waits; locked while a packet is sorted
    private readonly PacketSet _packets;
    private readonly ClientOptions _options;
    private readonly PendingRequests _pending;
    private readonly Inbox _inbox;
    private readonly LastingLink _links;
    private List<(Link Link, Packet Packet)>? _held = new(); // until a connection is entered
    private (ReadOnlyMemory<byte> Token, Link Link)? _session;
    private Resume? _former; // of an earlier client
    private int _isOpening;

    /// <summary>Makes a client. It does not connect yet.</summary>
    /// <param name="address">
    /// <c>tcp://HOST:PORT</c>, <c>tls://HOST:PORT</c>, <c>ws://HOST:PORT/PATH</c> or <c>wss://HOST/PATH</c>.
    /// </param>
    /// <param name="packets">The packets of the protocol; sealed here.</param>
    /// <param name="options">The settings; copied. By default those of a new <see cref="ClientOptions"/>.</param>
    /// <exception cref="ArgumentException">The address, or an option, is invalid.</exception>
    public GameClient(string address, PacketSet packets, ClientOptions? options = null)
        : this(new[] { address }, packets, options)
    {
    }

    /// <summary>Makes a client for servers that share sessions: it goes to the first one that takes it.</summary>
    /// <param name="addresses">At least one address.</param>
    /// <param name="packets">The packets of the protocol; sealed here.</param>
    /// <param name="options">The settings; copied. By default those of a new <see cref="ClientOptions"/>.</param>
    /// <exception cref="ArgumentException">An address, or an option, is invalid.</exception>
    public GameClient(IEnumerable<string> addresses, PacketSet packets, ClientOptions? options = null)
    {
        Uri[] servers = (addresses ?? throw new ArgumentNullException(nameof(addresses))).Select(Connecting.Check).ToArray();
        _packets = (packets ?? throw new ArgumentNullException(nameof(packets))).Seal();
        _options = (options ?? new ClientOptions()).Checked();
        _former = _options.Resume;
        _pending = new PendingRequests(_options.MaxRequests);
        _inbox = new Inbox(_options);
        _links = servers.Length > 0
            ? new LastingLink(servers, _options, this)
            : throw new ArgumentException("The list of servers is empty.", nameof(addresses));
    }

    /// <summary>Raised before each attempt to reconnect, and before its wait. Requests wait meanwhile.</summary>
    public event Action<ReconnectAttempt>? Reconnecting;

    /// <summary>
    /// Raised when <see cref="ClientOptions.Enter"/> has ended on a new connection, with <see cref="Entered.Recovered"/>. What was missed
    /// follows.
    /// </summary>
    public event Action<bool>? Reconnected;

    /// <summary>Raised once, last of all.</summary>
    public event Action<ReconnectEnd>? Ended;

    /// <summary>Whether the client has a connection. It may change at any moment.</summary>
    public ClientState State => _links.State;

    /// <summary>Completes when the session has ended. Never faults. It does not wait for handlers.</summary>
    public Task<ReconnectEnd> Closed => _links.Closed;

    /// <summary>What another client needs to resume the session. <see langword="null"/> when there is none. Keep it secret.</summary>
    public Resume? Resume
    {
        get
        {
            lock (_gate)
            {
                return _session is { } session ? new Resume(session.Token, session.Link.FramesReceived) : _former;
            }
        }
    }

    /// <summary>Calls a handler for each packet that carries the message and answers no request.</summary>
    /// <param name="handler">
    /// What it throws goes to <see cref="ClientOptions.HandlerFailed"/>. A packet without a handler is dropped, a malformed one closes the
    /// connection.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet that carries the message.</param>
    /// <exception cref="InvalidOperationException">The packet has a handler, or no packet of the set carries the message.</exception>
    public void MapPacket<TMessage>(Action<TMessage> handler, ushort? id = null)
    {
        if (handler is null)
        {
            throw new ArgumentNullException(nameof(handler));
        }

        MapPacket<TMessage>((_, message) => handler(message), id);
    }

    /// <inheritdoc cref="MapPacket{TMessage}(Action{TMessage}, ushort?)"/>
    public void MapPacket<TMessage>(Action<PacketContext, TMessage> handler, ushort? id = null)
    {
        if (handler is null)
        {
            throw new ArgumentNullException(nameof(handler));
        }

        PacketType<TMessage> type = _packets.Get<TMessage>(id);
        Mapping mapping = (link, packet) =>
        {
            TMessage message = type.Decode(packet.Body);
            return () => handler(new PacketContext(this, link, packet.RequestId), message);
        };
        if (!_mappings.TryAdd(type.Id, mapping))
        {
            throw new InvalidOperationException($"The packet {type} has a handler.");
        }
    }

    /// <summary>Gives each packet of an id to a replica, so that its state follows the room. The replica's handlers run where those of
    /// packets do. A malformed packet closes the connection.</summary>
    /// <param name="replica">
    /// Use its state only where handlers run: with <see cref="ClientOptions.HandleInPoll"/>, on the thread that calls <see cref="Poll"/>.
    /// After a break send its <see cref="StateReplica{TState}.Revision"/> with the request that resumes, and a server that passes it to
    /// <c>StateSync.Confirm</c> sends what has changed since; any other server sends the whole state.
    /// </param>
    /// <param name="id">The packet's id, which the set has by <see cref="PacketSet.AddRaw"/>.</param>
    /// <exception cref="InvalidOperationException">The packet has a handler, or is no raw packet of the set.</exception>
    public void MapState<TState>(StateReplica<TState> replica, ushort id)
        where TState : SyncObject
    {
        if (replica is null)
        {
            throw new ArgumentNullException(nameof(replica));
        }

        MapPacket<byte[]>(
            (context, message) =>
            {
                if (replica.Apply(new ReadOnlySpan<byte>(message)) == StateApplyResult.Malformed)
                {
                    context.Reject($"Packet {id} carries no state that {typeof(TState).Name} can follow.");
                }
            },
            id);
    }

    /// <summary>Connects, and begins the session by <see cref="ClientOptions.Enter"/>. May be repeated after a failure.</summary>
    /// <param name="cancellationToken">Gives up connecting. It has no effect on the client after that.</param>
    /// <exception cref="ConnectFailedException">No server answered in time, or all refused; the message says which.</exception>
    /// <exception cref="ConnectionClosedException">The connection ended while <see cref="ClientOptions.Enter"/> ran.</exception>
    /// <exception cref="InvalidOperationException">The client is connected, or has ended.</exception>
    /// <remarks>What <see cref="ClientOptions.Enter"/> throws is thrown here, too.</remarks>
    public async Task ConnectAsync(CancellationToken cancellationToken = default)
    {
        if (Interlocked.Exchange(ref _isOpening, 1) != 0)
        {
            throw new InvalidOperationException("The client is connected, or connects, or has ended. Make another one.");
        }

        try
        {
            await _links.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            Volatile.Write(ref _isOpening, 0);
            throw;
        }
    }

    /// <summary>Runs the handlers and events that wait. Call it once a frame on the main thread.</summary>
    /// <returns>How many it has run; 0 without <see cref="ClientOptions.HandleInPoll"/>. What arrives meanwhile waits for the next
    /// call.</returns>
    public int Poll() => _inbox.Poll();

    /// <summary>Sends a message as a packet. Never waits.</summary>
    /// <param name="message">What is sent.</param>
    /// <param name="id">The packet's id. Default: the one packet that carries the message.</param>
    /// <returns>
    /// <see langword="false"/> when it was dropped: there is no connection now, or <see cref="ClientOptions.MaxOutboundBytes"/> wait to be
    /// sent.
    /// </returns>
    /// <exception cref="InvalidOperationException">No packet of the set, or more than one, carries the message.</exception>
    public bool SendPacket<TMessage>(TMessage message, ushort? id = null) => Send(_pending.Link, message, 0, id);

    /// <summary>Asks the server and awaits its answer. During a break the request waits for the next connection.</summary>
    /// <typeparam name="TResponse">The message that answers; one packet of the set carries it.</typeparam>
    /// <param name="request">What is asked; one packet of the set carries it.</param>
    /// <param name="timeout">How long to wait, breaks included. Default <see cref="ClientOptions.RequestTimeout"/>;
    /// <see cref="Timeout.InfiniteTimeSpan"/> waits as long as the session lasts.</param>
    /// <param name="repeat">
    /// Whether the request is sent again when the connection breaks before its answer: for requests that do no harm when the server carries
    /// them out twice. Default false: it then fails with <see cref="ConnectionClosedException"/>.
    /// </param>
    /// <param name="cancellationToken">Stops waiting. The server may carry the request out nevertheless.</param>
    /// <exception cref="RequestFailedException">
    /// The server answered with a failure, with a packet of another kind, or with something malformed.
    /// </exception>
    /// <exception cref="TimeoutException">There was no answer in time.</exception>
    /// <exception cref="ConnectionClosedException">The session has ended, or the connection broke before the answer.</exception>
    /// <exception cref="TooManyRequestsException">Too many requests wait, or too much waits to be sent. Nothing was sent.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="InvalidOperationException">No packet of the set, or more than one, carries one of the messages.</exception>
    public Task<TResponse> RequestAsync<TResponse>(
        object request, TimeSpan? timeout = null, bool repeat = false, CancellationToken cancellationToken = default) =>
        AskAsync<TResponse>(request, timeout, repeat, link: null, cancellationToken);

    /// <summary>Says that the server has announced why it is about to close. Call it in the handler of that packet; it counts for the
    /// connection that is there now.</summary>
    /// <param name="reason">Takes the place of the reason that the link shows; <see cref="CloseReason.None"/> leaves that.</param>
    /// <param name="message">The server's sentence for a person.</param>
    /// <param name="returnAfter">
    /// With <see cref="CloseReason.ServerShutdown"/>: how long to wait before the first attempt to return, at most 1 hour. Default zero:
    /// not said.
    /// </param>
    public void ExpectClose(CloseReason reason, string? message = null, TimeSpan returnAfter = default) =>
        _links.Current?.ExpectClose(reason, message, returnAfter);

    /// <summary>Closes the connection in order, or ends the attempts to reconnect, and waits for the end. May be repeated.</summary>
    public async ValueTask DisposeAsync() => await _links.CloseAsync().ConfigureAwait(false);

    internal bool Send<TMessage>(Link? link, TMessage message, ushort requestId, ushort? id) =>
        _packets.Get<TMessage>(id).Encode(message!, requestId) is { } frame && link?.Send(frame) == true;

    internal async Task<TResponse> AskAsync<TResponse>(
        object request, TimeSpan? timeout, bool repeat, Link? link, CancellationToken cancellationToken)
    {
        PacketType question = _packets.Get((request ?? throw new ArgumentNullException(nameof(request))).GetType());
        byte[] body = question.EncodeObject(request);
        var pending = new PendingRequest<TResponse>(question, body, _packets.Get<TResponse>()) { Repeats = repeat };
        return await WaitAsync(
            pending,
            () => _pending.Add(pending, link),
            () => _pending.Remove(pending),
            $"{question.Name} was not answered",
            timeout,
            link,
            cancellationToken).ConfigureAwait(false);
    }

    internal Task<TMessage> NextAsync<TMessage>(Link link, ushort? id, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        PacketType<TMessage> type = _packets.Get<TMessage>(id);
        var pending = new PendingRequest<TMessage>(type, Array.Empty<byte>(), type);
        var wait = new Wait(type.Id, pending);
        return WaitAsync(pending, () => Begin(wait), () => Forget(wait), $"{type.Name} did not come", timeout, link, cancellationToken);
    }

    /// <summary>Begins or resumes the session on a new link.</summary>
    internal async Task EnterAsync(Link link, bool isReturn, CancellationToken cancellationToken)
    {
        using var entering = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, link.Aborted);
        bool hasEntered = false;
        try
        {
            var entered = new Entered();
            if (_options.Enter is { } enter)
            {
                var entry = new Entry(this, link, Resume);
                entered = await Task.Run(() => enter(entry, entering.Token), entering.Token).ConfigureAwait(false);
            }

            entering.Token.ThrowIfCancellationRequested();
            _pending.Release(link); // before anybody hears of the connection, or what is sent then would be dropped
            lock (_gate)
            {
                _session = entered.Token.IsEmpty ? null : (entered.Token, link);
                _former = null;
                _links.Entered();
                if (isReturn)
                {
                    _inbox.Post(() => Reconnected?.Invoke(entered.Recovered));
                }

                foreach ((Link from, Packet packet) in _held!)
                {
                    Deliver(from, packet);
                }

                _held = null;
            }

            hasEntered = true;
        }
        finally
        {
            lock (_gate)
            {
                _waits.Clear();
                _held = hasEntered ? null : new(); // what came on a failed attempt is dropped
            }
        }
    }

    internal void OnBroken(CloseReason reason)
    {
        lock (_gate)
        {
            _held = new();
        }

        _pending.Hold(() => new ConnectionClosedException(0, reason));
    }

    internal void OnReconnecting(ReconnectAttempt attempt) => _inbox.Post(() => Reconnecting?.Invoke(attempt));

    internal void OnEnded(ReconnectEnd end)
    {
        _pending.Close(() => new ConnectionClosedException(0, end.Reason));
        _inbox.Post(() => Ended?.Invoke(end));
    }

    internal Task OnPacketAsync(Link link, Packet packet)
    {
        if (packet.RequestId != 0 && TryAnswer(packet))
        {
            return Task.CompletedTask;
        }

        Wait? wait;
        lock (_gate)
        {
            wait = _waits.Find(candidate => candidate.Id == packet.Id);
            if (wait is null)
            {
                if (_held is null)
                {
                    return Deliver(link, packet);
                }

                _held.Add((link, packet));
                if (_held.Count > _options.MaxWaitingPackets)
                {
                    link.Abort(CloseReason.SlowConsumer);
                }

                return Task.CompletedTask;
            }

            _waits.Remove(wait);
        }

        wait.Pending.Answer(packet.Body);
        return Task.CompletedTask;
    }

    /// <returns>Completes when there is room for another packet.</returns>
    private Task Deliver(Link link, Packet packet)
    {
        if (!_mappings.TryGetValue(packet.Id, out Mapping? mapping))
        {
            if (packet.RequestId == 0 && _unhandled.TryAdd(packet.Id, true)) // else it is a late answer
            {
                Trace.TraceWarning($"Nothing handles packet {packet.Id}.");
            }

            return Task.CompletedTask;
        }

        try
        {
            return _inbox.PostPacket(mapping(link, packet));
        }
        catch (Exception e)
        {
            // What a decoder throws is its own choice; it means that the body is no such message.
            link.Abort(CloseReason.ProtocolViolation, $"The packet {_packets.Find(packet.Id)} is malformed: {e.Message}");
            return Task.CompletedTask;
        }
    }

    private bool TryAnswer(Packet packet)
    {
        if (_pending.Find(packet.RequestId) is not { } request)
        {
            return false;
        }

        PacketType? type = _packets.Find(packet.Id);
        bool isFailure = _packets.IsFailure(packet.Id);
        if (packet.Id != request.AnswerId && !isFailure && _mappings.ContainsKey(packet.Id))
        {
            return false; // a request of the server, whose numbers begin at 1 as well
        }

        _pending.Remove(request);
        if (packet.Id == request.AnswerId)
        {
            request.Answer(packet.Body);
            return true;
        }

        object? answer = null;
        try
        {
            answer = type?.DecodeObject(packet.Body);
        }
        catch (Exception)
        {
            // the failure counts, whatever it says
        }

        string what = isFailure ? type!.Name : $"{type?.ToString() ?? $"packet {packet.Id}"}, which is not the awaited answer";
        request.Fail(new RequestFailedException($"The server answers {request.Question} with {what}.", answer));
        return true;
    }

    private void Begin(Wait wait)
    {
        lock (_gate)
        {
            int index = _held?.FindIndex(held => held.Packet.Id == wait.Id) ?? -1;
            if (index < 0)
            {
                _waits.Add(wait);
                return;
            }

            wait.Pending.Answer(_held![index].Packet.Body);
            _held.RemoveAt(index);
        }
    }

    private void Forget(Wait wait)
    {
        lock (_gate)
        {
            _waits.Remove(wait);
        }
    }

    private async Task<TResponse> WaitAsync<TResponse>(
        PendingRequest<TResponse> pending,
        Action begin,
        Action forget,
        string problem,
        TimeSpan? timeout,
        Link? link,
        CancellationToken cancellationToken)
    {
        TimeSpan patience = timeout ?? _options.RequestTimeout;
        cancellationToken.ThrowIfCancellationRequested();
        using var late = new CancellationTokenSource(patience);
        begin();
        try
        {
            using CancellationTokenRegistration lateness = late.Token.Register(
                () => pending.Fail(new TimeoutException($"{problem} within {patience.TotalSeconds:0.###} seconds.")));
            using CancellationTokenRegistration cancellation = cancellationToken.Register(() => pending.Cancel(cancellationToken));
            using CancellationTokenRegistration end = (link?.Aborted ?? default).Register(
                () => pending.Fail(new ConnectionClosedException(0, link!.EndReason)));
            return await pending.Response.ConfigureAwait(false);
        }
        finally
        {
            forget();
        }
    }

    /// <summary>Reads a packet, and returns the call of its handler. It throws when the packet is malformed.</summary>
    private delegate Action Mapping(Link link, Packet packet);

    private sealed record Wait(ushort Id, PendingRequest Pending);
}
