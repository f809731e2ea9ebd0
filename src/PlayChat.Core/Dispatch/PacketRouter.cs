using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Dispatch;

/// <summary>Picks the handler for a packet by its id. Mapped before start, unchanged afterwards.</summary>
/// <remarks>
/// A packet that is not handled (not logged in, unknown, malformed) is answered by the matching <c>On…</c> hook if there is one, and
/// otherwise closes its connection; a client drops an unknown packet instead. Where <see cref="RequireLogin"/> is set, an unknown or
/// malformed packet before login always closes: a stranger gets no second try.
/// </remarks>
public sealed partial class PacketRouter
{
    // The bucket of the router's own limit in RateState; those of routes follow.
    private const int OwnLimit = 0;

    private readonly IServiceProvider _services;
    private readonly bool _isClient;
    private readonly Dictionary<Type, object> _handlers = [];
    private PacketRoute?[] _routes = new PacketRoute?[64];
    private ServerMetrics _metrics = null!; // set by Start
    private ILogger _logger = null!; // the same
    private TimeProvider _time = null!; // the same
    private MalformedPackets _malformed = null!; // the same
    private RefusedPackets _refused = null!; // the same
    private PacketFilter[] _filters = []; // those that see received packets
    private PacketFilter[] _sentFilters = [];
    private RateLimitSetting? _limitSetting;
    private readonly TraceSampling _traces = new();
    private RateLimit? _limit;
    private int _limits = OwnLimit + 1; // those of routes included
    private int _maxRateLimitedInRow = 100;
    private bool _isStarted;

    internal PacketRouter(IServiceProvider? provider, PacketSet packets, bool isClient = false)
    {
        _services = provider ?? NoServices.Instance;
        Packets = packets;
        _isClient = isClient;
    }

    /// <summary>The packets of the server or the connector.</summary>
    internal PacketSet Packets { get; }

    /// <summary>
    /// Whether a packet needs a login if its route does not say otherwise. Default false. A client's connection has no login: it has no
    /// effect there.
    /// </summary>
    public bool RequireLogin { get; set; }

    /// <summary>
    /// Answers a packet that needs a login; without it the session is closed as <see cref="CloseReason.LoginRequired"/>, which is logged
    /// once for each address in 10 seconds.
    /// </summary>
    public Action<PacketContext>? OnLoginRequired { get; set; }

    /// <summary>
    /// Answers a packet that is mapped to no handler; without it a server closes the session as
    /// <see cref="CloseReason.UnknownPacket"/>, and a client, whose server may be newer, drops the packet. Either way the packet is counted
    /// (<c>playchat.packets.unknown</c>). A close is logged once for each address in 10 seconds, a drop once for each id.
    /// </summary>
    /// <remarks>
    /// A packet of the <see cref="PacketSet"/> that is mapped to no handler and has the id of a request that waits for another answer fails
    /// that request instead; see <see cref="PacketSending.RequestAsync"/>.
    /// </remarks>
    public Action<PacketContext>? OnUnknown { get; set; }

    /// <summary>
    /// Answers a packet whose body is malformed; without it the session is closed as <see cref="CloseReason.ProtocolViolation"/>. Either
    /// way a warning says what was wrong, once for each address in 10 seconds.
    /// </summary>
    public Action<PacketContext>? OnMalformed { get; set; }

    /// <summary>
    /// Answers a packet whose handler failed, and keeps the session open; without it, the default, the session is closed as
    /// <see cref="CloseReason.HandlerFault"/>, unless the handler ran in a room. The failure is logged and counted either way. For such a
    /// handler this is called in the room's turn.
    /// </summary>
    public Action<PacketContext, Exception>? OnFault { get; set; }

    /// <summary>
    /// Answers a packet that a rate limit refused; without it such a packet is dropped. After <see cref="MaxRateLimitedInRow"/> the
    /// connection is closed
    /// as <see cref="CloseReason.RateLimited"/> either way.
    /// </summary>
    public Action<PacketContext>? OnRateLimited { get; set; }

    /// <summary>
    /// How many packets of a connection may be refused by rate limits, none let through in between, before it is closed as
    /// <see cref="CloseReason.RateLimited"/>:
    /// 1 to 1,000,000. Default 100.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public int MaxRateLimitedInRow
    {
        get => _maxRateLimitedInRow;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1_000_000);
            _maxRateLimitedInRow = value;
        }
    }

    /// <summary>
    /// One in so many packets begins a trace while a listener has subscribed to <see cref="PlayChatTracing.SourceName"/>: 1 to 1,000,000.
    /// Default 1. A packet that begins no trace allocates nothing for it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public int TraceOneIn
    {
        get => _traces.OneIn;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1_000_000);
            _traces.OneIn = value;
        }
    }

    /// <summary>
    /// Whether a packet continues the trace that its sender names (<see cref="ITracedMessage"/>), besides those of
    /// <see cref="TraceOneIn"/>. Default false. Clients then decide how much is traced, so turn it on only for clients that you trust.
    /// </summary>
    public bool ContinueTraces
    {
        get => _traces.Continues;
        set => _traces.Continues = value;
    }

    /// <summary>How many filters see every received packet.</summary>
    internal int FilterCount => _filters.Length;

    /// <summary>What messages pass on their way out; <see langword="null"/> when no filter sees them.</summary>
    internal PacketOutlet? Outlet => _sentFilters.Length == 0 ? null : new FilteredOutlet(_sentFilters);

    /// <summary>
    /// Lets a filter see every packet in and out, unknown ones included, behind those that were added before; see
    /// <see cref="PacketFilter"/>.
    /// </summary>
    /// <param name="filter">May be used elsewhere, too.</param>
    /// <exception cref="InvalidOperationException">The router has started.</exception>
    public PacketRouter AddFilter(PacketFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        RequireNotStarted();
        if (filter.SeesReceived)
        {
            _filters = [.. _filters, filter];
        }

        if (filter.SeesSent)
        {
            _sentFilters = [.. _sentFilters, filter];
        }

        return this;
    }

    /// <summary>
    /// Limits how many packets a connection may send, of any kind, unknown and malformed ones included, by a token bucket: as many as
    /// <paramref name="count"/> at once, and as many in <paramref name="perSeconds"/> in the long run. One more is refused: see
    /// <see cref="OnRateLimited"/>.
    /// </summary>
    /// <remarks>Call it again to change the limit, also while the router runs: each connection then begins with a full bucket.</remarks>
    /// <param name="count">How many packets, 1 to 1,000,000.</param>
    /// <param name="perSeconds">In how many seconds, 0.001 to 86,400.</param>
    /// <exception cref="ArgumentOutOfRangeException">One of them is out of its range.</exception>
    public PacketRouter RateLimit(int count, double perSeconds = 1)
    {
        var setting = RateLimitSetting.Of(count, perSeconds);
        if (!_isStarted)
        {
            _limitSetting = setting;
            return this;
        }

        // Before the routes: a packet whose route is guarded asks for the limit.
        Volatile.Write(ref _limit, new RateLimit(setting, OwnLimit, _time.TimestampFrequency));
        foreach (PacketRoute? route in _routes)
        {
            if (route is not null)
            {
                route.IsGuarded = true;
            }
        }

        return this;
    }

    /// <summary>Handles one frame of a connection.</summary>
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
        catch (Exception e) when (OnFault is not null)
        {
            Fault(context, route, e);
            return default;
        }

        return handling.IsCompletedSuccessfully || OnFault is null ? handling : HandledAsync(handling, context, route, filtered: null);
    }

    /// <summary>What handles a packet in a room's turn; <see langword="null"/> if it is not handled there.</summary>
    internal RoomInvoker? FindRoomInvoker(ushort packetId) => packetId < _routes.Length ? _routes[packetId]?.RoomInvoker : null;

    /// <summary>Ends the set-up.</summary>
    internal void Start(ServerMetrics metrics, ILogger logger, TimeProvider time)
    {
        if (_isStarted)
        {
            return;
        }

        _isStarted = true;
        _metrics = metrics;
        _logger = logger;
        _time = time;
        _malformed = new MalformedPackets(logger, time);
        _refused = new RefusedPackets(logger, time, Packets);
        _limit = _limitSetting is { } own ? new RateLimit(own, OwnLimit, time.TimestampFrequency) : null;
        foreach (PacketRoute? route in _routes)
        {
            if (route is not null)
            {
                route.Limit = CreateLimit(route.LimitSetting);
                route.Filters = [.. _filters, .. route.Filters];
                route.NeedsLogin = route.LoginSetting ?? RequireLogin;
                route.Traces = _traces;
                route.Figures = metrics.Packets.Add(route.Type.Name);
                route.IsGuarded = _limit is not null || route.Limit is not null || route.Filters.Length > 0;
            }
        }
    }

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
            if (OnLoginRequired is null)
            {
                _refused.LoginRequired(context);
            }

            Answer(context, OnLoginRequired, CloseReason.LoginRequired);
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
        Answer(context, IsStranger(context.Connection) ? null : OnMalformed, CloseReason.ProtocolViolation);
    }

    /// <summary>The sender is in no room for the packet; see <see cref="OnNoRoom"/>.</summary>
    internal void OnWithoutRoom(PacketContext context, PacketRoute route, Type room, long roomId)
    {
        _metrics.Add(Counter.PacketsWithoutRoom);
        route.Figures.CountError("no_room");
        if (OnNoRoom is { } answer)
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
        if (IsStranger(context.Connection) || OnUnknown is not { } answer)
        {
            if (_isClient)
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
        Packets.Find(frame.PacketId) is not null && connection.TryAnswerUnhandled(in frame);

    private static bool IsAnonymous(Connection connection) => connection.Get<Session>() is { User: null };

    /// <summary>Whether it should have logged in and has not: then it gets no second try.</summary>
    private bool IsStranger(Connection connection) => RequireLogin && IsAnonymous(connection);

    private RateLimit? CreateLimit(RateLimitSetting? setting) =>
        setting is { } limit ? new RateLimit(limit, _limits++, _time.TimestampFrequency) : null;

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
            if (OnFault is null)
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
        if (++state.RefusedInRow >= MaxRateLimitedInRow)
        {
            _refused.RateLimited(context, state.RefusedInRow);
            context.Connection.TellAndClose(CloseReason.RateLimited);
        }
        else
        {
            OnRateLimited?.Invoke(context);
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
        catch (Exception e) when (OnFault is not null)
        {
            Fault(context, route, e);
        }
        finally
        {
            filtered?.Return();
        }
    }

    /// <summary>Logs and counts what a handler has thrown, and answers the packet by <see cref="OnFault"/>, which is set.</summary>
    internal void Fault(PacketContext context, PacketRoute? route, Exception exception)
    {
        _metrics.Add(Counter.HandlerFaults);
        DispatchLog.HandlerFault(_logger, exception, route?.Type.Name ?? $"unknown packet {context.PacketId}", context.Connection.Id);
        OnFault!(context, exception);
    }

    /// <exception cref="InvalidOperationException">It has started.</exception>
    internal void RequireNotStarted()
    {
        if (_isStarted)
        {
            throw new InvalidOperationException("A router is set up before start.");
        }
    }
}
