using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>The way of a received packet through its filters to its handler. Used again, unless something on it had to wait.</summary>
internal sealed class IncomingWay
{
    [ThreadStatic]
    private static IncomingWay? s_spare;

    private PacketRouter _router = null!; // this and what follows: set while it is in use
    private PacketFilter[] _filters = [];
    private IncomingPacket[] _packets = []; // what each filter gets: by that it is known who goes on
    private FrameData _frame;
    private object? _message;
    private bool _isDecoded;
    private bool _waits; // somebody may still come back to it, even behind the back of a filter that did not wait for him

    internal PacketContext Context { get; private set; }

    internal PacketRoute? Route { get; private set; }

    internal int BodyBytes => _frame.BodyBytes;

    internal object? Message
    {
        get
        {
            if (!_isDecoded && Route is { } route)
            {
                _message = route.Type.Decode(new Frame(in _frame));
                _isDecoded = true;
            }

            return _message;
        }
    }

    /// <summary>Takes one from where they are kept.</summary>
    internal static IncomingWay Rent(PacketRouter router, PacketRoute? route, PacketFilter[] filters, PacketContext context, in Frame frame)
    {
        IncomingWay way = s_spare ?? new IncomingWay();
        s_spare = null;
        way._router = router;
        way.Route = route;
        way._filters = filters;
        way.Context = context;
        way._frame = frame.Copy();
        way._isDecoded = false;
        for (int i = way._packets.Length; i < filters.Length; i++)
        {
            way._packets = [.. way._packets, new IncomingPacket(way, i)];
        }

        return way;
    }

    /// <summary>Goes on to a filter, or behind the last one to the handler.</summary>
    internal ValueTask GoOnAsync(int at)
    {
        ValueTask handling = default;
        if (at != _router.FilterCount || _router.Admits(Context, Route))
        {
            handling = at < _filters.Length ? _filters[at].OnReceiveAsync(_packets[at].Begin()) : HandleAsync(Route!);
        }

        _waits |= !handling.IsCompletedSuccessfully;
        return handling;
    }

    /// <summary>Its end.</summary>
    internal void Return()
    {
        foreach (IncomingPacket packet in _packets)
        {
            packet.End();
        }

        if (_message is { } unhandled && Route?.Type is { IsTransient: true } type)
        {
            type.ReturnObject(unhandled);
        }

        _frame = default;
        _message = null;
        _isDecoded = true; // nothing is there any more
        if (!_waits)
        {
            Route = null;
            Context = default;
            s_spare = this;
        }
    }

    private ValueTask HandleAsync(PacketRoute route)
    {
        if (!_isDecoded)
        {
            if (route.TryHandle(Context, new Frame(in _frame), out ValueTask handling))
            {
                _isDecoded = route.Type.IsTransient; // is not read a second time
                return handling;
            }

            _isDecoded = true;
        }
        else if (_message is { } message)
        {
            if (route.Type.IsTransient)
            {
                _message = null; // the route returns it
            }

            return route.HandleObject(Context, message);
        }

        _router.OnBadBody(Context);
        return default;
    }
}
