namespace PlayChat.Core.Sessions;

/// <summary>All sessions of a server as those to whom something is sent. Thread-safe.</summary>
/// <remarks>
/// It goes through the connections, of which the set of connections is the only table. That table may change meanwhile: a connection that
/// is in it the whole time is met exactly once.
/// </remarks>
/// <param name="connections">All connections.</param>
/// <param name="services">What the connections have in common.</param>
internal sealed class SessionAudience(ConnectionSet connections, ConnectionServices services)
{
    private readonly FrameLayout _layout = new(services.Format);

    /// <summary>All sessions that have not ended.</summary>
    internal IEnumerable<Session> All
    {
        get
        {
            foreach (Connection connection in connections.All)
            {
                // A connection from which a resume has taken the session may still be in the table.
                if (connection.Get<Session>() is { HasEnded: false } session && session.Connection == connection)
                {
                    yield return session;
                }
            }
        }
    }

    /// <exception cref="ArgumentException">The body is larger than the format can carry, or contains its delimiter.</exception>
    internal void RequireCarries(ReadOnlySpan<byte> body) => _layout.RequireCarries(body);

    /// <summary>Encodes a message that passes the filters of outgoing packets.</summary>
    /// <returns>The body, and which packet it is; no body when a filter stopped it.</returns>
    internal (byte[]? Body, FrameHeader Header) Encode<TMessage>(TMessage message)
    {
        PacketType<TMessage> type = services.Packets.Get<TMessage>();
        if (services.Outlet is not { } outlet)
        {
            return (type.EncodeBody(message), type.Header());
        }

        var passing = new Passing();
        outlet.Send(null, connections.Count, type, message, 0, passing, static (to, packet, content, _) =>
        {
            (to.Body, to.Header) = (packet.EncodeBody(content), packet.Header());
            return true;
        });
        return (passing.Body, passing.Header);
    }

    /// <summary>Sends one frame to all, encoded once.</summary>
    /// <returns>The number of sessions whose queue took it.</returns>
    internal int Send(ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery, Func<Session, bool>? filter)
    {
        _layout.RequireCarries(body);
        Segment frame = _layout.Rent(services.Pool, header, body.Length, out Span<byte> destination);
        try
        {
            body.CopyTo(destination);
            return Send(frame, delivery, filter);
        }
        finally
        {
            frame.Release();
        }
    }

    internal int SendPacket<TMessage>(TMessage message, Delivery delivery, Func<Session, bool>? filter)
    {
        PacketType<TMessage> type = services.Packets.Get<TMessage>();
        if (services.Outlet is not { } outlet)
        {
            return SendPacket(type, message, 0, delivery, filter);
        }

        // An object, because what passes the filters is a yes or a no.
        var sending = new Sending(this, delivery, filter);
        outlet.Send(null, connections.Count, type, message, 0, sending, static (to, packet, content, requestId) =>
        {
            to.Sent = to.Audience.SendPacket(packet, content, requestId, to.Delivery, to.Filter);
            return true;
        });
        return sending.Sent;
    }

    /// <summary>Tells and closes all.</summary>
    /// <returns>The number of sessions that were open.</returns>
    internal int Close(CloseReason reason, Func<Session, bool>? filter)
    {
        int closed = 0;
        foreach (Session session in All)
        {
            if (session.Connection.IsOpen && filter?.Invoke(session) != false)
            {
                session.Connection.TellAndClose(reason);
                closed++;
            }
        }

        return closed;
    }

    private int SendPacket<TMessage>(
        PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery, Func<Session, bool>? filter)
    {
        Segment frame =
            _layout.Rent(services.Pool, type.Header(requestId), type.GetBodyBytes(message), out Span<byte> destination);
        try
        {
            type.Encode(message, destination);
            _layout.RequireCarries(destination);
            return Send(frame, delivery, filter);
        }
        finally
        {
            frame.Release();
        }
    }

    private int Send(Segment segment, Delivery delivery, Func<Session, bool>? filter)
    {
        var frames = new SharedFrames(segment, 0, segment.Written, 0, 1);
        var frame = new LooseFrame(0, segment.Written, 0, delivery);
        ReadOnlySpan<LooseFrame> loose = delivery.IsReliable ? default : new ReadOnlySpan<LooseFrame>(in frame);
        int sent = 0;
        foreach (Session session in All)
        {
            if (filter?.Invoke(session) != false)
            {
                sent += session.AnnouncedConnection.SendShared(in frames, loose, flush: true);
            }
        }

        services.Metrics.Add(Counter.Deliveries, sent);
        return sent;
    }

    private sealed class Sending(SessionAudience audience, Delivery delivery, Func<Session, bool>? filter)
    {
        internal SessionAudience Audience => audience;

        internal Delivery Delivery => delivery;

        internal Func<Session, bool>? Filter => filter;

        internal int Sent { get; set; }
    }

    private sealed class Passing
    {
        internal byte[]? Body { get; set; }

        internal FrameHeader Header { get; set; }
    }
}
