using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Dispatch;

/// <summary>Picks the handler for a packet by its id. Mapped before start, unchanged afterwards.</summary>
/// <remarks>
/// A packet that is not handled (not logged in, unknown, malformed) is answered by the matching <c>On…</c> hook if there is one, and
/// otherwise closes its connection. Where <see cref="RequireLogin"/> is set, an unknown or malformed packet before login always closes: a stranger gets no second try.
/// </remarks>
public sealed partial class PacketRouter
{
    private readonly IServiceProvider? _provider;
    private readonly Dictionary<Type, object> _handlers = [];
    private PacketRoute?[] _routes = new PacketRoute?[64];
    private ServerMetrics _metrics = null!; // set by Start
    private ILogger _logger = null!; // the same
    private bool _isStarted;

    internal PacketRouter(IServiceProvider? provider, PacketSet packets)
    {
        _provider = provider;
        Packets = packets;
    }

    /// <summary>The packets of the server or the connector.</summary>
    public PacketSet Packets { get; }

    /// <summary>Whether a packet needs a login if its route does not say otherwise. Default false. A client's connection has no login: it has no effect there.</summary>
    public bool RequireLogin { get; set; }

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

    /// <summary>Handles one frame of a connection.</summary>
    internal ValueTask HandleAsync(Connection connection, in Frame frame)
    {
        var context = new PacketContext(connection, frame.PacketId, frame.RequestId);
        PacketRoute?[] routes = _routes;
        PacketRoute? route = context.PacketId < routes.Length ? routes[context.PacketId] : null;
        if (route is null)
        {
            _metrics.Add(Counter.UnknownPackets);
            Answer(context, IsStranger(connection) ? null : OnUnknown, CloseReason.UnknownPacket);
            return default;
        }

        if (route.IsGuarded && connection.Owner is Session { User: null })
        {
            Answer(context, OnLoginRequired, CloseReason.LoginRequired);
            return default;
        }

        ValueTask handling;
        try
        {
            if (!route.TryHandle(context, in frame, out handling))
            {
                _metrics.Add(Counter.ProtocolViolations);
                Answer(context, IsStranger(connection) ? null : OnMalformed, CloseReason.ProtocolViolation);
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

    /// <summary>Ends the set-up.</summary>
    internal PacketRouter Start(ServerMetrics metrics, ILogger logger)
    {
        _metrics = metrics;
        _logger = logger;
        foreach (PacketRoute? route in _routes)
        {
            if (route is not null)
            {
                route.IsGuarded = route.NeedsLogin ?? RequireLogin;
            }
        }

        _isStarted = true;
        return this;
    }

    /// <summary>Whether it should have logged in and has not: who gets no second try.</summary>
    private bool IsStranger(Connection connection) => RequireLogin && connection.Owner is Session { User: null };

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
        _metrics.Add(Counter.HandlerFaults);
        DispatchLog.HandlerFault(_logger, exception, route.Type.Name, context.Connection.Id);
        OnFault!(context, exception);
    }
}
