namespace PlayChat.Core.Connections;

/// <summary>One live link to one peer.</summary>
/// <remarks>Thread-safe. Frames are handled one at a time, in the order of arrival. The peer never causes an exception here.</remarks>
// Owns its identity and the steps to its end. Each half has its own state: FrameSender sends, ReceiveLoop receives. A stream has a
// StreamLoop instead, and its FrameSender has ended from the start, so it refuses every frame.
public sealed class Connection : IConnectionControl
{
    private static readonly TimeSpan s_maxTimeout = TimeSpan.FromDays(49); // about what timers can

    private static long s_lastId;

    private readonly ConnectionServices _services;
    private readonly TransportConnection _link;
    private readonly FrameSender _sender;
    private readonly ReceiveLoop _receiver;
    private readonly StreamLoop? _stream;
    private ConnectionEnd _end;
    private ConnectionFeatures _features;
    private long _closeDeadline;
    private long _heartbeatsReceived; // written by the receive loop
    private long _heartbeatsSent;
    private volatile int _toldReason; // what a server has told this client

    internal Connection(TransportConnection link, ConnectionServices services)
    {
        _link = link;
        _services = services;
        _sender = new FrameSender(link, services, this);
        _receiver = new ReceiveLoop(link, services, _sender, this);
        OpenedTimestamp = _receiver.LastReceiveTimestamp;
        if (services.Stream is { } handler)
        {
            _stream = new StreamLoop(link, services, handler, this);
            _sender.TryEnd();
        }
    }

    /// <summary>Unique within the process, and rising: from 1, or in a cluster that shares rooms from a number of the node's own.</summary>
    public long Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <summary>The peer's address, if the transport has one.</summary>
    public EndPoint? RemoteEndPoint => _link.RemoteEndPoint;

    /// <summary>Our own address, if the transport has one.</summary>
    public EndPoint? LocalEndPoint => _link.LocalEndPoint;

    /// <summary>Whether frames can still be sent or, for a stream, whether it is not closing.</summary>
    /// <remarks>May change at any moment, so also check the result of a send.</remarks>
    public bool IsOpen => _sender.State == ConnectionState.Open || _stream is { State: ConnectionState.Open };

    /// <summary>The reason why the connection ended or is ending; <see cref="CloseReason.None"/> while it is open.</summary>
    public CloseReason CloseReason => _end.Reason;

    /// <summary>Completes when the link has ended and its last handler has returned. Never faults.</summary>
    public Task<CloseReason> Closed => _end.Closed;

    /// <summary>Cancelled when the link ends or is aborted. Asynchronous handlers get it.</summary>
    /// <remarks>
    /// While a handler waits, nothing is received. PlayChat then detects a lost peer only when it sends to the peer (for example by
    /// <c>OnHeartbeat</c> of a server) or when the handler returns. Give a handler that may wait for long a timeout of its own.
    /// Callbacks that are registered with the token run on the thread pool, not on the thread that aborted the connection.
    /// </remarks>
    public CancellationToken Aborted => _end.GetAborted(_services.Logger, Id);

    /// <summary>The number of frames received so far, without heartbeat packets (packet id 65,535), updated once per batch.</summary>
    /// <remarks>A client that resumes sends the server the number of its former connection.</remarks>
    public long FramesReceived => Math.Max(0, _receiver.FramesReceived - Volatile.Read(ref _heartbeatsReceived));

    /// <summary>Reads the connection's counters and queue at this moment, without a lock.</summary>
    /// <remarks>For diagnosis. The values are read one after the other, so frames that pass meanwhile may be in some of them.</remarks>
    public ConnectionTraffic Traffic
    {
        get
        {
            long now = _services.Time.GetTimestamp();
            long waitsSince = _sender.WaitsSince;
            return new ConnectionTraffic
            {
                BytesReceived = _receiver.BytesReceived,
                FramesReceived = _receiver.FramesReceived,
                BytesSent = _sender.BytesSent,
                FramesSent = _sender.FramesSent,
                QueuedBytes = _sender.UnsentBytes,
                MaxQueuedBytes = _sender.MaxBytes,
                IsHandlerWaiting = _receiver.IsHandlerWaiting,
                Age = _services.Time.GetElapsedTime(OpenedTimestamp, now),
                SilentFor = Elapsed(LastReceiveTimestamp, now),
                BlockedFor = waitsSince == SendLoop.NotWaiting ? TimeSpan.Zero : Elapsed(waitsSince, now),
            };
        }
    }

    /// <summary>What all connections of the server, or of the connector, have in common.</summary>
    internal ConnectionServices Services => _services;

    /// <summary>When it was opened, in ticks of the server's <see cref="TimeProvider"/>.</summary>
    internal long OpenedTimestamp { get; }

    /// <summary>When bytes last arrived, or their absence was excused, in the same ticks.</summary>
    internal long LastReceiveTimestamp => _stream?.LastActivityTimestamp ?? _receiver.LastReceiveTimestamp;

    internal bool IsHandlerWaiting => _receiver.IsHandlerWaiting;

    /// <summary>Whether a limit refused it. It was not counted as accepted, so its end is not counted either.</summary>
    internal bool WasRefused { get; set; }

    /// <summary>Bytes that wait to be sent.</summary>
    internal int OutboundBytes => _sender.Bytes;

    internal bool HasNotReadFor(long ticks, long now) => _sender.HasNotReadFor(ticks, now);

    Connection IConnectionControl.Connection => this;

    /// <summary>Returns the object that <see cref="Set{T}"/> has stored for this type, if any.</summary>
    public T? Get<T>()
        where T : class => _features.Get<T>();

    /// <summary>Stores an object of your own with the connection, one for each type.</summary>
    /// <typeparam name="T">The exact type under which <c>Get</c> finds the object; a base type does not find it.</typeparam>
    /// <param name="value">Replaces the object stored for this type; <see langword="null"/> removes it.</param>
    public void Set<T>(T? value)
        where T : class => _features.Set(value);

    /// <summary>Sends a received frame back: the same header fields, a copy of the body. Never waits.</summary>
    /// <param name="frame">Of any connection; its header fields are written as far as this connection's format has them.</param>
    /// <returns>See <see cref="Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry.</exception>
    public bool Send(in Frame frame) => _sender.Send(in frame);

    /// <summary>Sends one frame; the body is copied. Never waits.</summary>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">The header fields; fields that the format does not have are ignored.</param>
    /// <param name="delivery">Whether a slow peer may miss the frame. Default: <see cref="Delivery.Reliable"/>.</param>
    /// <returns>
    /// <see langword="false"/> when the frame will not go out: the connection has ended or is ending, its queue was full and
    /// <see cref="ConnectionOptions.SlowConsumer"/> acted, or <paramref name="delivery"/> let it be dropped because the peer is behind.
    /// A queued frame that is replaced later counts as sent. <see langword="true"/> does not mean that the frame has arrived.
    /// </returns>
    /// <exception cref="ArgumentException">The body is larger than the format can carry, or contains its delimiter.</exception>
    public bool Send(ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default) =>
        delivery.IsReliable ? _sender.Send(body, header) : _sender.Send(body, header, delivery);

    /// <summary>Sends one frame whose body is written directly into the outbound queue. Never waits.</summary>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">The exact length of the body in bytes.</param>
    /// <param name="state">The argument for <paramref name="write"/>, so that the callback can be static.</param>
    /// <param name="write">
    /// Fills the whole span. Must not call PlayChat or wait for a lock: the connection may be locked. Not called for a frame that is
    /// dropped at once.
    /// </param>
    /// <param name="delivery">Whether a slow peer may miss the frame. Default: <see cref="Delivery.Reliable"/>.</param>
    /// <returns>See <see cref="Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry.</exception>
    public bool Send<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Enqueue(header, bodyBytes, state, write, delivery, flush: true);
    }

    /// <summary>Sends one frame; under <see cref="SlowConsumerPolicy.Wait"/> it waits for room in the queue.</summary>
    /// <param name="body">The frame's content; copied when it is queued, so do not change it until then.</param>
    /// <param name="header">What the format writes beside it.</param>
    /// <param name="cancellationToken">Cancels the wait; the frame is then not sent.</param>
    /// <returns>As for the plain send.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry, or than its whole queue.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while it waited.</exception>
    public ValueTask<bool> SendAsync(
        ReadOnlyMemory<byte> body, FrameHeader header = default, CancellationToken cancellationToken = default) =>
        _sender.SendAsync(body, header, cancellationToken);

    /// <summary>Sends a message as a packet, encoded straight into the outbound queue. Never waits.
    /// The connection's format must carry packet ids.</summary>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What may become of it while something waits for the peer. Default <see cref="Delivery.Reliable"/>.</param>
    /// <param name="type">
    /// The type of packet. Default: the one packet that carries the message, of the <see cref="PacketSet"/> that the server or the
    /// connector was given.
    /// </param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public bool SendPacket<TMessage>(TMessage message, ushort requestId = 0, Delivery delivery = default, PacketType<TMessage>? type = null)
    {
        type ??= _services.Packets.Get<TMessage>();
        return _services.Outlet is { } outlet
            ? outlet.Send(
                this,
                1,
                type,
                message,
                requestId,
                (Connection: this, delivery),
                static (to, packet, content, request) => to.Connection.SendNow(packet, content, request, to.delivery))
            : SendNow(type, message, requestId, delivery);
    }

    /// <summary>
    /// Asks a peer and waits for its answer: a server its client, or a client its server. Thread-safe; many requests may be under way, up
    /// to <see cref="ConnectionOptions.MaxRequests"/>.
    /// </summary>
    /// <typeparam name="TResponse">The message that answers; one packet of the set carries it. It is the caller's own.</typeparam>
    /// <param name="request">What is asked; one packet of the set carries it. Not kept.</param>
    /// <param name="timeout">
    /// How long to wait, 0 to 49 days, by the server's clock; <see cref="Timeout.InfiniteTimeSpan"/> is as long as the connection lasts.
    /// </param>
    /// <param name="cancellationToken">Gives up. The peer is not told; its answer is dropped.</param>
    /// <remarks>
    /// <para>
    /// The server or the connector was given a <see cref="PacketSet"/>, and the format must carry packet and request ids.
    /// </para>
    /// <para>
    /// The peer answers by <see cref="Dispatch.PacketContext.Reply"/>. A packet is the answer when it carries the request's id and
    /// is of the awaited kind, or of one that was added as a failure. So do not use one kind both for answers and for requests of the peer:
    /// with an id it is never routed to a handler once it has been awaited on the connection, and an answer that comes too late is dropped.
    /// </para>
    /// <para>
    /// Answers pass no filters and no rate limits. Answers that no request awaits are counted (<c>playchat.answers.dropped</c>), and a peer
    /// that sends more than <see cref="ConnectionOptions.MaxRequests"/> in a row that were never asked for is closed as
    /// <see cref="CloseReason.ProtocolViolation"/>.
    /// </para>
    /// <para>
    /// <b>Do not await a request to a handler's own peer.</b> Until a handler returns, its connection receives nothing, and so no answer.
    /// Return from the handler and continue in the room (<see cref="Rooms.RoomExtensions"/>), or start the request by
    /// <see cref="Dispatch.Offload"/> without awaiting it in the handler. A handler may await requests to other peers.
    /// </para>
    /// <para>
    /// A request that a handler makes before its first await fails at once with <see cref="InvalidOperationException"/>. After an await the
    /// handler is not recognized: its request ends with a <see cref="TimeoutException"/>, whose message says that a handler was waiting, or
    /// with the connection if there is no timeout.
    /// </para>
    /// <para>
    /// The code that awaits the request continues on the thread pool or in its own synchronization context, never on the receive loop. When
    /// answers arrive together, the code that awaits them continues one after the other, in the order of the answers, and what it sends
    /// leaves together. Code that takes longer than 50 ms, or blocks, does not hold up the others: another thread continues them. The order
    /// between the continuation of the request and frames that the peer sent behind the answer is undefined.
    /// </para>
    /// <para>
    /// A request that has ended without its answer keeps its id until the answer comes, so that a late answer meets no other request. Only
    /// when the peer owes more than 32,768 answers are the oldest ids used again. Await the returned task once, as any
    /// <see cref="ValueTask{TResult}"/>.
    /// </para>
    /// </remarks>
    /// <exception cref="RequestFailedException">
    /// The peer answered with a failure, with a packet of another kind that the set contains, or with something unreadable, or the request
    /// was not sent: the queue was full, or a filter stopped it.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There was no answer in time. The message says so if a handler of this connection has not returned: nothing was received then.
    /// </exception>
    /// <exception cref="ConnectionClosedException">
    /// The connection has ended or ended meanwhile. A handler of its own that lets this pass has no fault.
    /// </exception>
    /// <exception cref="TooManyRequestsException">Too many requests wait for this peer's answers.</exception>
    /// <exception cref="InvalidOperationException">
    /// A handler of this connection made the request before its first await. Or no packet of the set, or more than one, carries a message
    /// of one of the two types.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is out of its range.</exception>
    /// <exception cref="ArgumentException">The request is larger than the format can carry.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public ValueTask<TResponse> RequestAsync<TResponse>(object request, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        if ((timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan) || timeout > s_maxTimeout)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "A timeout is 0 to 49 days, or Timeout.InfiniteTimeSpan.");
        }

        BatchContext.RequireNotHandling(this);
        PacketSet packets = _services.Packets;
        return new OpenRequest<TResponse>(this, packets.Get(request.GetType()), packets.Get<TResponse>(), timeout)
            .Send(request, cancellationToken);
    }

    /// <summary>Closes the connection gracefully: delivers queued frames, sends FIN, and waits until the peer closes its end.</summary>
    /// <remarks>
    /// All steps together take at most <see cref="ConnectionOptions.CloseTimeout"/>. Frames that arrive meanwhile are dropped. Only the
    /// first reason counts. For a stream, the handler's token is cancelled first.
    /// </remarks>
    /// <param name="reason">Counted, logged and handed to <see cref="Closed"/>.</param>
    public void Close(CloseReason reason = CloseReason.LocalClose)
    {
        if (!IsOpen)
        {
            return;
        }

        // Both before the state changes: code that sees the state expects them.
        SetReason(reason);
        if (_stream is { } stream)
        {
            stream.Close(reason);
            return;
        }

        Volatile.Write(ref _closeDeadline, _services.DeadlineAfter(_services.Options.CloseTimeout));
        if (_sender.TryClose())
        {
            _receiver.Requests?.Close(CloseReason);
            _sender.ShutdownWhenSent();
        }
    }

    /// <summary>Ends the connection now and drops what is queued. A TCP peer sees a reset. May be repeated.</summary>
    /// <param name="reason">Counted, logged and handed to <see cref="Closed"/>, unless the connection was ending already.</param>
    public void Abort(CloseReason reason = CloseReason.LocalClose)
    {
        if ((_stream?.State ?? _sender.State) == ConnectionState.Ended)
        {
            return;
        }

        SetReason(reason);
        if (_stream?.TryAbort() ?? TryDrop())
        {
            _end.Abort(_services.Logger, Id);
        }
    }

    /// <summary>Whether everything that was sent has left, and was so many frames, without heartbeat packets.</summary>
    internal bool HasSentExactly(long frames) => _sender.HasSentExactly(frames + Interlocked.Read(ref _heartbeatsSent));

    /// <summary>Whether the link tells the peer itself why the connection closes.</summary>
    internal bool TellsReason => _link.TellsReason;

    /// <summary>The handler has taken a heartbeat packet. Called on the receive loop.</summary>
    internal void OnHeartbeatReceived() => Volatile.Write(ref _heartbeatsReceived, _heartbeatsReceived + 1);

    internal void OnHeartbeatSent() => Interlocked.Increment(ref _heartbeatsSent);

    /// <summary>The server has told this client why it is about to close.</summary>
    internal void OnCloseTold(CloseReason reason) => _toldReason = (int)reason;

    internal bool TryAnswerUnhandled(in Frame frame) => _receiver.Requests?.TryAnswerUnhandled(in frame) ?? false;

    /// <summary>Continues the ids of later connections after a number, if they are below it.</summary>
    internal static void ContinueAfter(long id) => InterlockedMaximum.Raise(ref s_lastId, id);

    /// <summary>Starts to receive. Once.</summary>
    internal void Start()
    {
        if (_stream is { } stream)
        {
            stream.Start();
        }
        else
        {
            _receiver.Run();
        }
    }

    /// <summary>Closes on the server's own decision. The application may tell the peer why before.</summary>
    internal void TellAndClose(CloseReason reason)
    {
        if (IsOpen)
        {
            _services.CallClosing(this, reason);
        }

        Close(reason);
    }

    /// <summary>Ends a close that takes too long, and closes a peer that neither reads nor ends its frame. The sweep calls it.</summary>
    internal void CheckDeadlines(long now)
    {
        ConnectionState state = _sender.State;
        if (_stream?.IsOverdue(now) ?? (state == ConnectionState.Closing && now >= Volatile.Read(ref _closeDeadline)))
        {
            Abort();
        }
        else if (state == ConnectionState.Open && HasNotReadFor(_services.TicksOf(_services.Options.SendTimeout), now))
        {
            _services.Metrics.Add(Counter.SlowConsumers);
            Abort(CloseReason.SlowConsumer);
        }
        else if (state == ConnectionState.Open && _receiver.IsFrameOverdue(now, _services.Options.FrameTimeout))
        {
            _services.NoteViolation(
                this,
                CloseReason.FrameTimeout,
                $"It did not send the rest of a frame within {_services.Options.FrameTimeout} (Connections:FrameTimeout).");
            TellAndClose(CloseReason.FrameTimeout);
        }
    }

    internal bool TryExcuseSilence(long now) => _stream?.TryExcuseSilence(now) ?? _receiver.TryExcuseSilence(now);

    /// <summary>Queues a frame. A room's turn flushes each connection that it has sent to once, at its end.</summary>
    internal bool Enqueue<TState>(
        FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery, bool flush = false) =>
        delivery.IsReliable
            ? _sender.Enqueue(header, bodyBytes, state, write, flush)
            : _sender.Enqueue(header, bodyBytes, state, write, delivery, flush);

    internal bool SendShared(Segment segment, int frames, bool flush) => _sender.SendShared(segment, frames, flush);

    internal int SendShared(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, bool flush) =>
        _sender.SendShared(in frames, loose, flush);

    internal void Flush() => _sender.Flush();

    /// <summary>Fetches into the cache what a send needs first. <see cref="PrefetchSending"/> follows a little later.</summary>
    internal void Prefetch() => Memory.Prefetch(this, bytes: 64);

    /// <summary>Fetches what the connection refers to.</summary>
    internal void PrefetchSending()
    {
        Memory.Prefetch(_sender, bytes: 192);
        Memory.Prefetch(_link, bytes: 192);
    }

    internal void BeginRequest(OpenRequest request) => _receiver.BeginRequest(request);

    internal bool TryEndRequest(OpenRequest request, bool wasSent = true) => _receiver.Requests?.TryEnd(request, wasSent) ?? false;

    private void SetReason(CloseReason reason)
    {
        // What the server has told says more than the end of its link.
        var told = (CloseReason)_toldReason;
        _end.SetReason(told != CloseReason.None && reason is CloseReason.PeerClosed or CloseReason.PeerReset ? told : reason);
    }

    // Another thread may have written the earlier time after ours was read.
    private TimeSpan Elapsed(long since, long now) =>
        now > since ? _services.Time.GetElapsedTime(since, now) : TimeSpan.Zero;

    private bool TryDrop()
    {
        if (!_sender.TryEnd())
        {
            return false;
        }

        _link.Abort();
        _receiver.Requests?.Close(CloseReason);
        _sender.Drop();
        return true;
    }

    void IConnectionControl.SetReason(CloseReason reason) => SetReason(reason);

    void IConnectionControl.TellAndClose(CloseReason reason) => TellAndClose(reason);

    void IConnectionControl.OnDelivered()
    {
        _sender.TryEnd();
        _end.Abort(_services.Logger, Id);
    }

    void IConnectionControl.OnEnded()
    {
        _link.Dispose();
        _end.Complete(this, _services);
    }

    private bool SendNow<TMessage>(PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery) => Send(
        type.Header(requestId),
        type.GetBodyBytes(message),
        (type, message),
        static (destination, packet) => packet.type.Encode(packet.message, destination),
        delivery);
}
