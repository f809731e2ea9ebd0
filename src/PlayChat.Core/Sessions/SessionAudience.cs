namespace PlayChat.Core.Sessions;

/// <summary>All sessions of a server as those to whom something is sent. Thread-safe.</summary>
/// <remarks>
/// It goes through the connections, of which the set of connections is the only table. That table may change meanwhile: a connection that
/// is in it the whole time is met exactly once.
/// </remarks>
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
        (byte[]? Body, FrameHeader Header) encoded = default;
        PassFilters(message, (body, header) => encoded = (body, header));
        return encoded;
    }

    /// <summary>Sends one frame to all, encoded once.</summary>
    /// <returns>The number of sessions whose queue took it.</returns>
    internal int Send(ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery, Func<Session, bool>? filter)
    {
        _layout.RequireCarries(body);
        Segment segment = _layout.Rent(services.Pool, header, body.Length, out Span<byte> destination);
        try
        {
            body.CopyTo(destination);
            var frames = new SharedFrames(segment, 0, segment.Written, 0, 1);
            var frame = new LooseFrame(0, segment.Written, 0, delivery);
            ReadOnlySpan<LooseFrame> loose = delivery.IsReliable ? default : new ReadOnlySpan<LooseFrame>(in frame);
            int sent = 0;
            foreach (Session session in All)
            {
                if (filter?.Invoke(session) != false)
                {
                    sent += session.Announced.Connection.SendShared(in frames, loose, flush: true);
                }
            }

            services.Metrics.Add(Counter.Deliveries, sent);
            return sent;
        }
        finally
        {
            segment.Release();
        }
    }

    internal int SendPacket<TMessage>(TMessage message, Delivery delivery, Func<Session, bool>? filter)
    {
        int sent = 0;
        PassFilters(message, (body, header) => sent = Send(body, header, delivery, filter));
        return sent;
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

    /// <summary>Encodes a message behind the last filter of outgoing packets, and hands it on there; not at all if one stops it.</summary>
    private void PassFilters<TMessage>(TMessage message, Action<byte[], FrameHeader> handOn)
    {
        PacketType<TMessage> type = services.Packets.Get<TMessage>();
        if (services.Outlet is not { } outlet)
        {
            handOn(type.EncodeBody(message), type.Header());
            return;
        }

        outlet.Send(null, connections.Count, type, message, 0, handOn, static (to, packet, content, _) =>
        {
            to(packet.EncodeBody(content), packet.Header());
            return true;
        });
    }
}
