namespace PlayChat.Core.Dispatch;

/// <summary>Sends messages as packets, and requests that are answered.</summary>
public static class PacketSending
{
    private static readonly TimeSpan s_maxTimeout = TimeSpan.FromDays(49); // about what timers can

    /// <summary>Sends a message as a packet, encoded straight into the outbound queue. Never waits.</summary>
    /// <param name="connection">Its format must carry packet ids.</param>
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
    public static bool SendPacket<TMessage>(
        this Connection connection,
        TMessage message,
        ushort requestId = 0,
        Delivery delivery = default,
        PacketType<TMessage>? type = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        type ??= connection.Services.Packets.Get<TMessage>();
        return connection.Services.Outlet is { } outlet
            ? outlet.Send(
                connection,
                1,
                type,
                message,
                requestId,
                (connection, delivery),
                static (to, packet, content, request) => SendNow(to.connection, packet, content, request, to.delivery))
            : SendNow(connection, type, message, requestId, delivery);
    }

    /// <summary>
    /// Asks a peer and waits for its answer: a server its client, or a client its server. Thread-safe; many requests may be under way, up
    /// to <see cref="ConnectionOptions.MaxRequests"/>.
    /// </summary>
    /// <typeparam name="TResponse">The message that answers; one packet of the set carries it. It is the caller's own.</typeparam>
    /// <param name="connection">
    /// Of a server or a connector that was given a <see cref="PacketSet"/>; its format must carry packet and request ids.
    /// </param>
    /// <param name="request">What is asked; one packet of the set carries it. Not kept.</param>
    /// <param name="timeout">
    /// How long to wait, 0 to 49 days, by the server's clock; <see cref="Timeout.InfiniteTimeSpan"/> is as long as the connection lasts.
    /// </param>
    /// <param name="cancellationToken">Gives up. The peer is not told; its answer is dropped.</param>
    /// <remarks>
    /// <para>
    /// The peer answers by <see cref="PacketContext.Reply"/>. A packet is the answer when it carries the request's id and
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
    /// Return from the handler and continue in the room (<see cref="Rooms.RoomExtensions"/>), or start the request by <see cref="Offload"/>
    /// without awaiting it in the handler. A handler may await requests to other peers.
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
    public static ValueTask<TResponse> RequestAsync<TResponse>(
        this Connection connection, object request, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(request);
        if ((timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan) || timeout > s_maxTimeout)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "A timeout is 0 to 49 days, or Timeout.InfiniteTimeSpan.");
        }

        BatchContext.RequireNotHandling(connection);
        PacketSet packets = connection.Services.Packets;
        return new OpenRequest<TResponse>(connection, packets.Get(request.GetType()), packets.Get<TResponse>(), timeout)
            .Send(request, cancellationToken);
    }

    private static bool SendNow<TMessage>(
        Connection connection, PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery) => connection.Send(
        type.Header(requestId),
        type.GetBodyBytes(message),
        (type, message),
        static (destination, packet) => packet.type.Encode(packet.message, destination),
        delivery);
}
