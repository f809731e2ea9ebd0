using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

/// <summary>
/// Finds the route of each received packet, checks what stands before its handler, and calls that. Made when the router starts: from then
/// on only the router's own rate limit changes.
/// </summary>
internal sealed class PacketDispatcher
{
    // The bucket of the router's own limit in RateState; those of routes follow.
    private const int OwnLimit = 0;

    private readonly PacketRouter _router;
    private readonly PacketRoute?[] _routes;
    private readonly PacketFilter[] _filters; // of all packets
    private readonly ServerMetrics _metrics;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly MalformedPackets _malformed;
    private readonly RefusedPackets _refused;
    private readonly int _limits = OwnLimit + 1; // those of routes included
    private RateLimit? _limit;

    internal PacketDispatcher(
        PacketRouter router,
        PacketRoute?[] routes,
        PacketFilter[] filters,
        RateLimitSetting? limit,
        ServerMetrics metrics,
        ILogger logger,
        TimeProvider time)
    {
        _router = router;
        _routes = routes;
        _filters = filters;
        _metrics = metrics;
        _logger = logger;
        _time = time;
        _malformed = new MalformedPackets(logger, time);
        _refused = new RefusedPackets(logger, time, router.Packets);
        _limit = CreateLimit(limit, OwnLimit);
        foreach (PacketRoute route in routes.OfType<PacketRoute>())
        {
            route.Dispatcher = this;
            route.Limit = route.LimitSetting is null ? null : CreateLimit(route.LimitSetting, _limits++);
            route.Filters = [.. filters, .. route.Filters];
            route.NeedsLogin = route.LoginSetting ?? router.RequireLogin;
            route.Traces = router.Traces;
            route.Figures = metrics.Packets.Add(route.Type.Name);
            route.IsGuarded = _limit is not null || route.Limit is not null || route.Filters.Length > 0;
        }
    }

    /// <summary>How many filters see every received packet.</summary>
    internal int FilterCount => _filters.Length;

    /// <summary>Whether <see cref="PacketRouter.OnFault"/> answers a packet whose handler failed.</summary>
    internal bool AnswersFaults => _router.OnFault is not null;

    /// <summary>Replaces the router's own rate limit.</summary>
    internal void SetLimit(RateLimitSetting? setting)
    {
        // Before the routes: a packet whose route is guarded asks for the limit.
        Volatile.Write(ref _limit, CreateLimit(setting, OwnLimit));
        foreach (PacketRoute route in _routes.OfType<PacketRoute>())
        {
            route.IsGuarded = true;
        }
    }

    internal ValueTask HandleAsync(Connection connection, in Frame frame)
    {
        var context = new PacketContext(connection, frame.PacketId, frame.RequestId);
        PacketRoute?[] routes = _routes;
        PacketRoute? route = context.PacketId < routes.Length ? routes[context.PacketId] : null;
        if (route is { Figures.IsEnabled: true })
        {
            route.Figures.CountReceived(frame.BodyBytes);
        }

        if (route is null || route.IsGuarded || frame.BodyBytes > route.MaxBodyBytes || (route.NeedsLogin && IsAnonymous(connection)))
        {
            if (!Grants(context, route, _limit))
            {
                return default;
            }

            if (frame.BodyBytes > route?.MaxBodyBytes)
            {
                OnBadBody(context, route, in frame); // before the filters, which would have it decoded
                return default;
            }

            if (route is null && (Heartbeat.TryTake(connection, in frame) || IsWrongAnswer(connection, in frame)))
            {
                return default;
            }

            PacketFilter[] filters = route?.Filters ?? _filters;
            if (filters.Length > 0)
            {
                return FilterAsync(FilterPipeline.Rent(this, route, filters, context, in frame));
            }

            if (!Admits(context, route))
            {
                return default;
            }
        }

        ValueTask handling;
        try
        {
            if (!route.TryHandle(context, in frame, out handling))
            {
                OnBadBody(context, route, in frame);
                return default;
            }
        }
        catch (Exception e) when (AnswersFaults)
        {
            Fault(context, route, e);
            return default;
        }

        return handling.IsCompletedSuccessfully || !AnswersFaults ? handling : HandledAsync(handling, context, route, filtered: null);
    }

    /// <summary>What handles a packet in a room's turn; <see langword="null"/> if it is not handled there.</summary>
    internal RoomInvoker? FindRoomInvoker(ushort packetId) => packetId < _routes.Length ? _routes[packetId]?.RoomInvoker : null;

    /// <summary>Whether a packet is handled after the router's own filters; if not, that has been answered.</summary>
    internal bool Admits(PacketContext context, [NotNullWhen(true)] PacketRoute? route)
    {
        if (!Grants(context, route, route?.Limit))
        {
            return false;
        }

        if (context.Connection.Get<RateState>() is { } state)
        {
            state.RefusedInRow = 0;
        }

        if (route is null)
        {
            _metrics.Add(Counter.UnknownPackets);
            OnUnhandled(context);
            return false;
        }

        if (route.NeedsLogin && IsAnonymous(context.Connection))
        {
            route.Figures.CountError("login_required");
            if (_router.OnLoginRequired is null)
            {
                _refused.LoginRequired(context);
            }

            Answer(context, _router.OnLoginRequired, CloseReason.LoginRequired);
            return false;
        }

        return true;
    }

    /// <summary>The body is not what its packet carries.</summary>
    internal void OnBadBody(PacketContext context, PacketRoute route, in Frame frame)
    {
        _metrics.Add(Counter.ProtocolViolations);
        route.Figures.CountError("malformed");
        _malformed.Log(context, route, in frame);
        Answer(context, IsStranger(context.Connection) ? null : _router.OnMalformed, CloseReason.ProtocolViolation);
    }

    /// <summary>The sender is in no room for the packet; see <see cref="PacketRouter.OnNoRoom"/>.</summary>
    internal void OnWithoutRoom(PacketContext context, PacketRoute route, Type room, long roomId)
    {
        _metrics.Add(Counter.PacketsWithoutRoom);
        route.Figures.CountError("no_room");
        if (_router.OnNoRoom is { } answer)
        {
            answer(context, roomId);
        }
        else
        {
            _refused.NoRoom(context, room, roomId);
        }
    }

    private void OnUnhandled(PacketContext context)
    {
        if (IsStranger(context.Connection) || _router.OnUnknown is not { } answer)
        {
            if (_router.IsClient)
            {
                _refused.UnknownAtClient(context);
                return;
            }

            _refused.Unknown(context);
            context.Connection.TellAndClose(CloseReason.UnknownPacket);
            return;
        }

        answer(context);
    }

    // A packet that the set does not contain may be a request of a newer peer, whose ids begin at 1 as well: the answer may still come.
    private bool IsWrongAnswer(Connection connection, in Frame frame) =>
        _router.Packets.Find(frame.PacketId) is not null && connection.TryAnswerUnhandled(in frame);

    private static bool IsAnonymous(Connection connection) => connection.Get<Session>() is { User: null };

    /// <summary>Whether it should have logged in and has not: then it gets no second try.</summary>
    private bool IsStranger(Connection connection) => _router.RequireLogin && IsAnonymous(connection);

    private RateLimit? CreateLimit(RateLimitSetting? setting, int index) =>
        setting is { } limit ? new RateLimit(limit, index, _time.TimestampFrequency) : null;

    private ValueTask FilterAsync(FilterPipeline pipeline)
    {
        PacketContext context = pipeline.Context;
        PacketRoute? route = pipeline.Route;
        ValueTask handling;
        try
        {
            handling = pipeline.ContinueAsync(0);
        }
        catch (Exception e)
        {
            pipeline.Return();
            if (!AnswersFaults)
            {
                throw;
            }

            Fault(context, route, e);
            return default;
        }

        if (!handling.IsCompletedSuccessfully)
        {
            return HandledAsync(handling, context, route, pipeline);
        }

        pipeline.Return();
        return default;
    }

    private bool Grants(PacketContext context, PacketRoute? route, RateLimit? limit)
    {
        if (limit is null || limit.TryTake(context.Connection, _limits, _time.GetTimestamp()))
        {
            return true;
        }

        _metrics.Add(Counter.RateLimitedPackets);
        route?.Figures.CountError("rate_limited");
        var state = context.Connection.Get<RateState>()!;
        if (++state.RefusedInRow >= _router.MaxRateLimitedInRow)
        {
            _refused.RateLimited(context, state.RefusedInRow);
            context.Connection.TellAndClose(CloseReason.RateLimited);
        }
        else
        {
            _router.OnRateLimited?.Invoke(context);
        }

        return false;
    }

    private static void Answer(PacketContext context, Action<PacketContext>? answer, CloseReason otherwise)
    {
        if (answer is null)
        {
            context.Connection.TellAndClose(otherwise);
        }
        else
        {
            answer(context);
        }
    }

    private async ValueTask HandledAsync(ValueTask handling, PacketContext context, PacketRoute? route, FilterPipeline? filtered)
    {
        try
        {
            await handling.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!context.Connection.IsOpen)
        {
            // The sender's connection has ended, and the handler has noticed it.
        }
        catch (ConnectionClosedException e) when (e.ConnectionId == context.Connection.Id)
        {
            // The sender's connection has ended, so the handler's request to it fails.
        }
        catch (Exception e) when (AnswersFaults)
        {
            Fault(context, route, e);
        }
        finally
        {
            filtered?.Return();
        }
    }

    /// <summary>
    /// Logs and counts what a handler has thrown, and answers the packet by <see cref="PacketRouter.OnFault"/>, which is set.
    /// </summary>
    internal void Fault(PacketContext context, PacketRoute? route, Exception exception)
    {
        _metrics.Add(Counter.HandlerFaults);
        DispatchLog.HandlerFault(_logger, exception, route?.Type.Name ?? $"unknown packet {context.PacketId}", context.Connection.Id);
        _router.OnFault!(context, exception);
    }
}
