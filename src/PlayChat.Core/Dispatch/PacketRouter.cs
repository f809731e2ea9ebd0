using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Dispatch;

/// <summary>Picks the handler for a packet by its id. Mapped before start, unchanged afterwards.</summary>
/// <remarks>
/// A packet that is not handled (not logged in, unknown, malformed) is answered by the matching <c>On…</c> hook if there is one, and
/// otherwise closes its session. Before login an unknown or malformed packet always closes: a stranger gets no second try.
/// </remarks>
public sealed class PacketRouter
{
    private readonly IServiceProvider? _provider;
    private PacketRoute?[] _routes = new PacketRoute?[64];

    internal PacketRouter(IServiceProvider? provider)
    {
        _provider = provider;
    }

    /// <summary>Answers a packet that needs a login; without it the session is closed as <see cref="CloseReason.LoginRequired"/>.</summary>
    public Action<PacketContext>? OnLoginRequired { get; set; }

    /// <summary>Answers a packet that nobody handles; without it the session is closed as <see cref="CloseReason.UnknownPacket"/>.</summary>
    public Action<PacketContext>? OnUnknown { get; set; }

    /// <summary>Answers a packet whose body cannot be read; without it the session is closed as <see cref="CloseReason.ProtocolViolation"/>.</summary>
    public Action<PacketContext>? OnMalformed { get; set; }

    /// <summary>
    /// Answers a packet whose handler failed, and the session goes on; without it, the default, the session is closed as
    /// <see cref="CloseReason.HandlerFault"/>. The failure is logged and counted either way.
    /// </summary>
    public Action<PacketContext, Exception>? OnFault { get; set; }

    internal ServerMetrics? Metrics { get; set; }

    internal Microsoft.Extensions.Logging.ILogger? Logger { get; set; }

    /// <summary>Handles a kind of packet by a function that does not wait for anything.</summary>
    /// <param name="type">The kind.</param>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    /// <param name="beforeLogin">Whether it is handled for a session that has not logged in. Default false.</param>
    /// <exception cref="InvalidOperationException">The id is mapped already.</exception>
    public PacketRouter Map<TMessage>(PacketType<TMessage> type, Action<PacketContext, TMessage> handler, bool beforeLogin = false)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(type.Id, new PacketRoute.Synchronous<TMessage>(type, handler, beforeLogin));
    }

    /// <summary>Handles a kind of packet by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <param name="type">The kind.</param>
    /// <param name="handler">The token is cancelled when the sender's link ends.</param>
    /// <param name="beforeLogin">Whether it is handled for a session that has not logged in. Default false.</param>
    /// <exception cref="InvalidOperationException">The id is mapped already.</exception>
    public PacketRouter Map<TMessage>(
        PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler, bool beforeLogin = false)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(type.Id, new PacketRoute.Asynchronous<TMessage>(type, handler, beforeLogin));
    }

    /// <summary>Handles a kind of packet by an object.</summary>
    /// <param name="type">The kind.</param>
    /// <param name="handler">One for all sessions.</param>
    /// <param name="beforeLogin">Whether it is handled for a session that has not logged in. Default false.</param>
    /// <exception cref="InvalidOperationException">The id is mapped already.</exception>
    public PacketRouter Map<TMessage>(PacketType<TMessage> type, IPacketHandler<TMessage> handler, bool beforeLogin = false)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Map(type, handler.HandleAsync, beforeLogin);
    }

    /// <summary>Handles a kind of packet by an object that is made once, its constructor arguments taken from the server's services.</summary>
    /// <param name="type">The kind.</param>
    /// <param name="beforeLogin">Whether it is handled for a session that has not logged in. Default false.</param>
    /// <exception cref="InvalidOperationException">The id is mapped already, a service is missing, or the server was built without services.</exception>
    public PacketRouter Map<TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        PacketType<TMessage> type, bool beforeLogin = false)
        where THandler : class, IPacketHandler<TMessage>
    {
        IServiceProvider provider = _provider ?? throw new InvalidOperationException(
            $"{typeof(THandler).Name} is to be made from services, but the server has none: use AddPlayChat, or UseServices.");
        return Map(type, ActivatorUtilities.GetServiceOrCreateInstance<THandler>(provider), beforeLogin);
    }

    /// <summary>Handles one frame of a session.</summary>
    internal ValueTask HandleAsync(Session session, in Frame frame)
    {
        var context = new PacketContext(session, frame.PacketId, frame.RequestId);
        PacketRoute?[] routes = _routes;
        PacketRoute? route = context.PacketId < routes.Length ? routes[context.PacketId] : null;
        bool loggedIn = session.User is not null;
        if (route is null)
        {
            Metrics?.Add(Counter.UnknownPackets);
            Answer(context, loggedIn ? OnUnknown : null, CloseReason.UnknownPacket);
            return default;
        }

        if (!loggedIn && !route.BeforeLogin)
        {
            Answer(context, OnLoginRequired, CloseReason.LoginRequired);
            return default;
        }

        ValueTask handling;
        try
        {
            if (!route.TryHandle(context, in frame, out handling))
            {
                Metrics?.Add(Counter.ProtocolViolations);
                Answer(context, loggedIn ? OnMalformed : null, CloseReason.ProtocolViolation);
                return default;
            }
        }
        catch (Exception e) when (OnFault is not null)
        {
            Fault(context, route, e);
            return default;
        }

        return handling.IsCompletedSuccessfully || OnFault is null ? handling : HandledAsync(handling, context, route);
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

    private async ValueTask HandledAsync(ValueTask handling, PacketContext context, PacketRoute route)
    {
        try
        {
            await handling.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!context.Connection.IsOpen)
        {
            // The sender has gone and the handler heeded it.
        }
        catch (Exception e)
        {
            Fault(context, route, e);
        }
    }

    private void Fault(PacketContext context, PacketRoute route, Exception exception)
    {
        Metrics?.Add(Counter.HandlerFaults);
        if (Logger is { } logger)
        {
            DispatchLog.HandlerFault(logger, exception, route.Name, context.Session.Id);
        }

        OnFault!(context, exception);
    }

    private PacketRouter Add(ushort id, PacketRoute route)
    {
        if (id >= _routes.Length)
        {
            Array.Resize(ref _routes, id + 1);
        }

        if (_routes[id] is { } there)
        {
            throw new InvalidOperationException($"Packet id {id} is mapped twice: to {there.Name} and to {route.Name}.");
        }

        _routes[id] = route;
        return this;
    }
}
