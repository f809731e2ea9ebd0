using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>A received packet on its way through the filters. Used again when its handler is done: a filter must not keep it.</summary>
public sealed class IncomingPacket
{
    [ThreadStatic]
    private static IncomingPacket? s_spare;

    private PacketRouter _router = null!; // this and what follows: set while it is in use
    private PacketFilter[] _filters = [];
    private FrameData _frame;
    private int _next;
    private object? _message;
    private bool _isDecoded;

    private IncomingPacket()
    {
    }

    /// <summary>Who sent it; may be kept.</summary>
    public PacketContext Context { get; private set; }

    /// <summary>Which kind of packet it is; <see langword="null"/> when its id is mapped to no handler.</summary>
    public PacketType? Type => Route?.Type;

    /// <summary>Its length in bytes, without the header.</summary>
    public int BodyBytes => _frame.BodyBytes;

    /// <summary>
    /// What it says, decoded when it is first asked for; <see langword="null"/> when its id is unknown or its body malformed, and after
    /// <see cref="NextAsync"/> where the type is transient.
    /// </summary>
    public object? Message
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

    /// <summary>Goes on to the next filter, and after the last one to the handler. At most once.</summary>
    /// <returns>Completes when they are done.</returns>
    /// <exception cref="InvalidOperationException">It was called by this filter already, or after the packet's end.</exception>
    public ValueTask NextAsync()
    {
        int at = _next++;
        if (at > _filters.Length)
        {
            throw new InvalidOperationException("The packet has been handled: a filter calls the next one once, and does not keep the packet.");
        }

        if (at == _router.FilterCount && !_router.Admits(Context, Route))
        {
            _next = _filters.Length + 1;
            return default;
        }

        return at < _filters.Length ? _filters[at].OnReceiveAsync(this) : HandleAsync(Route!);
    }

    internal PacketRoute? Route { get; private set; }

    /// <summary>Takes one from where they are kept.</summary>
    internal static IncomingPacket Rent(PacketRouter router, PacketRoute? route, PacketFilter[] filters, PacketContext context, in Frame frame)
    {
        IncomingPacket packet = s_spare ?? new IncomingPacket();
        s_spare = null;
        packet._router = router;
        packet.Route = route;
        packet._filters = filters;
        packet._next = 0;
        packet.Context = context;
        packet._frame = frame.Copy();
        return packet;
    }

    /// <summary>Its way has ended.</summary>
    internal void Return()
    {
        if (_message is { } unhandled && Type is { IsTransient: true } type)
        {
            type.ReturnObject(unhandled);
        }

        Route = null;
        _filters = [];
        _frame = default;
        _message = null;
        _isDecoded = false;
        _next = 1; // behind the end of no filters: who has kept it hears of it
        Context = default;
        s_spare = this;
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
