using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

/// <summary>Picks the handler for a packet by its id. Mapped before start, unchanged afterwards.</summary>
/// <remarks>
/// A packet that is not handled (not logged in, unknown, malformed) is answered by the matching <c>On…</c> hook if there is one, and
/// otherwise closes its connection; a client drops an unknown packet instead. Where <see cref="RequireLogin"/> is set, an unknown or
/// malformed packet before login always closes: a stranger gets no second try.
/// </remarks>
public sealed class PacketRouter
{
    private readonly IServiceProvider _services;
    private readonly Dictionary<Type, object> _handlers = [];
    private PacketRoute?[] _routes = new PacketRoute?[64];
    private PacketFilter[] _filters = []; // those that see received packets
    private PacketFilter[] _sentFilters = [];
    private RateLimitSetting? _limit;
    private int _maxRateLimitedInRow = 100;
    private PacketDispatcher? _dispatcher; // set by Start

    internal PacketRouter(IServiceProvider? provider, PacketSet packets, bool isClient = false)
    {
        _services = provider ?? NoServices.Instance;
        Packets = packets;
        IsClient = isClient;
    }

    /// <summary>The packets of the server or the connector.</summary>
    internal PacketSet Packets { get; }

    /// <summary>Whether a client's connections use the router.</summary>
    internal bool IsClient { get; }

    /// <summary>Decides which packets are traced.</summary>
    internal TraceSampling Traces { get; } = new();

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
    /// that request instead; see <see cref="Connection.RequestAsync"/>.
    /// </remarks>
    public Action<PacketContext>? OnUnknown { get; set; }

    /// <summary>
    /// Answers a packet for a room in which the sender is no member, not any more when the packet's turn comes, or only a spectator
    /// (<see cref="RoomMember.IsSpectator"/>); without it the packet is dropped, which is logged once for each address in 10 seconds.
    /// Either way it is counted (<c>playchat.packets.without_room</c>).
    /// </summary>
    /// <remarks>
    /// The second argument is the id of the room that the message names (<see cref="IRoomMessage"/>), or of the room that the sender has
    /// left or that was removed meanwhile; 0 if the message names none and the sender is in no room of the type.
    /// <see cref="PacketContext.Rooms"/> tells a room that does not exist from one in which the sender is no member. Called on the sender's
    /// receive loop, or in the turn of the room that the sender has left.
    /// </remarks>
    public Action<PacketContext, long>? OnNoRoom { get; set; }

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
    /// connection is closed as <see cref="CloseReason.RateLimited"/> either way.
    /// </summary>
    public Action<PacketContext>? OnRateLimited { get; set; }

    /// <summary>
    /// How many packets of a connection may be refused by rate limits, none let through in between, before it is closed as
    /// <see cref="CloseReason.RateLimited"/>: 1 to 1,000,000. Default 100.
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
        get => Traces.OneIn;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1_000_000);
            Traces.OneIn = value;
        }
    }

    /// <summary>
    /// Whether a packet continues the trace that its sender names (<see cref="ITracedMessage"/>), besides those of
    /// <see cref="TraceOneIn"/>. Default false. Clients then decide how much is traced, so turn it on only for clients that you trust.
    /// </summary>
    public bool ContinueTraces
    {
        get => Traces.Continues;
        set => Traces.Continues = value;
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
    /// <remarks>
    /// Call it again to change the limit, also while the router runs: each connection then begins with a full bucket. The same limit again
    /// changes nothing.
    /// </remarks>
    /// <param name="count">How many packets, 1 to 1,000,000; 0 for no limit, the default.</param>
    /// <param name="perSeconds">In how many seconds, 0.001 to 86,400.</param>
    /// <exception cref="ArgumentOutOfRangeException">One of them is out of its range.</exception>
    public PacketRouter RateLimit(int count, double perSeconds = 1)
    {
        RateLimitSetting? limit = count == 0 ? null : RateLimitSetting.Of(count, perSeconds);
        if (limit != _limit)
        {
            _limit = limit;
            _dispatcher?.SetLimit(limit);
        }

        return this;
    }

    /// <summary>Handles a packet by a function that does not wait for anything.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Action<PacketContext, TMessage> handler, ushort? id = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Synchronous(TypeOf<TMessage>(id), handler), handler);
    }

    /// <summary>Handles a packet by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">
    /// The token is cancelled when the sender's link ends; <see cref="Connections.Connection.Aborted"/> says when PlayChat detects that.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Func<PacketContext, TMessage, CancellationToken, ValueTask> handler, ushort? id = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Asynchronous(TypeOf<TMessage>(id), handler), handler);
    }

    /// <summary>Handles a packet by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">May be <see langword="async"/>.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Func<PacketContext, TMessage, ValueTask> handler, ushort? id = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add(
            new PacketRoute<TMessage>.Asynchronous(TypeOf<TMessage>(id), (context, message, _) => handler(context, message)), handler);
    }

    /// <summary>Handles the packet that carries a message by a class whose constructor arguments are the server's services.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in the <see cref="PacketSet"/>.</typeparam>
    /// <typeparam name="THandler">The class; it may be registered as a service, but need not be.</typeparam>
    /// <param name="scoped">
    /// Whether each message gets a new handler, in a scope of its own of the services, both disposed afterwards. Default false: one handler
    /// for all, which must be thread-safe.
    /// </param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, no packet, or more than one, carries the message, a service is missing, or there are no services.
    /// </exception>
    public PacketRouteBuilder MapPacket<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(bool scoped = false)
        where THandler : class, IPacketHandler<TMessage> =>
        scoped
            ? AddScoped<TMessage, THandler>(
                TypeOf<TMessage>(null), static (handler, context, message, token) => handler.HandleAsync(context, message, token))
            : MapPacket<TMessage>(GetHandler<THandler>().HandleAsync);

    /// <summary>
    /// Handles a packet by a method of a class of which each message gets a new one, in a scope of its own of the services; both are
    /// disposed afterwards.
    /// </summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <typeparam name="THandler">The class; it may be registered as a service, but need not be.</typeparam>
    /// <param name="handler">Calls the method.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, is not there, or carries something else, or there are no services.
    /// </exception>
    public PacketRouteBuilder MapScopedPacket<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        Func<THandler, PacketContext, TMessage, CancellationToken, ValueTask> handler, ushort? id = null)
        where THandler : class
    {
        ArgumentNullException.ThrowIfNull(handler);
        return AddScoped(TypeOf<TMessage>(id), handler);
    }

    /// <summary>
    /// Handles the packet that carries a message in the turn of the room of a type in which the sender is a member. While the room's queue
    /// is full the sender is not read any further.
    /// </summary>
    /// <typeparam name="TRoom">
    /// The room: the one that the message names if it is an <see cref="IRoomMessage"/>, otherwise the one that the session entered last. If
    /// there is none, <see cref="OnNoRoom"/> is called.
    /// </typeparam>
    /// <typeparam name="TMember">The type of the room's members.</typeparam>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">
    /// Runs in the room's turn, unless the sender has left meanwhile (see <see cref="OnNoRoom"/>). To answer, use
    /// <see cref="MapRoomRequest"/> or the room's <c>SendPacket</c> with the request's id: <see cref="PacketContext.Reply"/> overtakes what
    /// the turn has broadcast. What it throws is logged and counted, and the session stays open; <see cref="OnFault"/> can answer it.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already or not in the <see cref="PacketSet"/>, or it is transient.
    /// </exception>
    public PacketRouteBuilder MapRoomPacket<TRoom, TMember, TMessage>(
        Action<TRoom, PacketContext, TMember, TMessage> handler, ushort? id = null)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(handler);
        return MapToRoom(handler, id, handler);
    }

    /// <summary>
    /// Handles a packet as <see cref="MapRoomPacket"/> does, and answers it with what the handler returns. The sender gets the answer
    /// behind what the turn has broadcast before, and in front of what it broadcasts afterwards.
    /// </summary>
    /// <typeparam name="TRoom">The room; see <see cref="MapRoomPacket"/>.</typeparam>
    /// <typeparam name="TMember">The type of the room's members.</typeparam>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <typeparam name="TAnswer">The answer; exactly one packet of the <see cref="PacketSet"/> carries it.</typeparam>
    /// <param name="handler">
    /// Returns the answer, or <see langword="null"/> for none. A packet without a request id gets no answer, and neither does one whose
    /// connection the session has left by a resume.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already or not in the <see cref="PacketSet"/>, it is transient, or no packet, or more than one, carries the
    /// answer.
    /// </exception>
    public PacketRouteBuilder MapRoomRequest<TRoom, TMember, TMessage, TAnswer>(
        Func<TRoom, PacketContext, TMember, TMessage, TAnswer?> handler, ushort? id = null)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(handler);
        PacketType<TAnswer> answers = TypeOf<TAnswer>(null);
        return MapToRoom<TRoom, TMember, TMessage>(
            (room, context, member, message) =>
            {
                // On another connection, where the session is when it has resumed meanwhile, the id means another request.
                if (handler(room, context, member, message) is { } answer
                    && context.RequestId != 0
                    && member.Session.Connection == context.Connection)
                {
                    room.Answer(member.Session, answers, answer, context.RequestId);
                }
            },
            id,
            handler);
    }

    /// <summary>
    /// The class that handles packets, or filters them: the service, where it is one, else made with services as constructor arguments.
    /// </summary>
    /// <returns>One for each class and router.</returns>
    /// <exception cref="InvalidOperationException">A service is missing.</exception>
    public T GetHandler<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>()
        where T : class
    {
        if (!_handlers.TryGetValue(typeof(T), out object? handler))
        {
            handler = ActivatorUtilities.GetServiceOrCreateInstance<T>(_services);
            _handlers[typeof(T)] = handler;
        }

        return (T)handler;
    }

    /// <summary>Ends the set-up.</summary>
    internal PacketDispatcher Start(ServerMetrics metrics, ILogger logger, TimeProvider time)
    {
        RequireNotStarted();
        return _dispatcher = new PacketDispatcher(this, _routes, _filters, _limit, metrics, logger, time);
    }

    /// <exception cref="InvalidOperationException">It has started.</exception>
    internal void RequireNotStarted()
    {
        if (_dispatcher is not null)
        {
            throw new InvalidOperationException("A router is set up before start.");
        }
    }

    private PacketRouteBuilder MapToRoom<TRoom, TMember, TMessage>(
        Action<TRoom, PacketContext, TMember, TMessage> handler, ushort? id, Delegate mapped)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        PacketType<TMessage> type = TypeOf<TMessage>(id);
        if (type.IsTransient)
        {
            throw MappingFault.Create(
                $"Packet {type.Id} ({type.Name}) is transient: its message is gone before the room's turn. "
                + "Map it to a handler that posts what it needs of it.");
        }

        return Add(new RoomRoute<TRoom, TMember, TMessage>(type, handler), mapped);
    }

    private PacketRouteBuilder AddScoped<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        PacketType<TMessage> type, Func<THandler, PacketContext, TMessage, CancellationToken, ValueTask> handler)
        where THandler : class =>
        Add(new ScopedRoute<TMessage, THandler>(type, _services.GetRequiredService<IServiceScopeFactory>(), handler), handler);

    private PacketType<TMessage> TypeOf<TMessage>(ushort? id)
    {
        try
        {
            return Packets.Get<TMessage>(id);
        }
        catch (InvalidOperationException e)
        {
            throw MappingFault.Create(e.Message, e);
        }
    }

    /// <summary>Adds a route. Its packet need not be in the <see cref="PacketSet"/>.</summary>
    internal PacketRouteBuilder Add(PacketRoute route, Delegate handler)
    {
        route.Handler = handler;
        RequireNotStarted();
        ushort id = route.Type.Id;
        if (id >= _routes.Length)
        {
            Array.Resize(ref _routes, id + 1);
        }

        if (_routes[id] is { } there)
        {
            (string first, string second) = (there.DescribeHandler(), route.DescribeHandler());
            throw MappingFault.Create(first == second
                ? $"Packet id {id} ({route.Type.Name}) is mapped twice, both times to {first}: map it once."
                : $"Packet id {id} ({route.Type.Name}) is mapped twice: to {first} and to {second}. Remove one of the two.");
        }

        _routes[id] = route;
        return new PacketRouteBuilder(this, route);
    }
}
