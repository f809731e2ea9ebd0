namespace PlayChat.Core.Dispatch;

/// <summary>What a received packet passes: its filters, then its handler. Used again, unless something in it had to wait.</summary>
internal sealed class FilterPipeline
{
    [ThreadStatic]
    private static FilterPipeline? s_spare;

    private PacketDispatcher _dispatcher = null!; // this and what follows: set while it is in use
    private PacketFilter[] _filters = [];
    private IncomingPacket[] _packets = []; // one for each filter, so that a call to continue tells which filter it comes from
    private FrameData _frame;
    private object? _message;
    private bool _isDecoded;
    private bool _waits; // a filter may still continue it later, even if the filter before did not wait for that

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
    internal static FilterPipeline Rent(
        PacketDispatcher dispatcher, PacketRoute? route, PacketFilter[] filters, PacketContext context, in Frame frame)
    {
        FilterPipeline pipeline = s_spare ?? new FilterPipeline();
        s_spare = null;
        pipeline._dispatcher = dispatcher;
        pipeline.Route = route;
        pipeline._filters = filters;
        pipeline.Context = context;
        pipeline._frame = frame.Copy();
        pipeline._isDecoded = false;
        for (int i = pipeline._packets.Length; i < filters.Length; i++)
        {
            pipeline._packets = [.. pipeline._packets, new IncomingPacket(pipeline, i)];
        }

        return pipeline;
    }

    /// <summary>Calls a filter, or behind the last one the handler.</summary>
    internal ValueTask ContinueAsync(int at)
    {
        ValueTask handling = default;
        if (at != _dispatcher.FilterCount || _dispatcher.Admits(Context, Route))
        {
            handling = at < _filters.Length ? _filters[at].OnReceiveAsync(_packets[at].Begin()) : HandleAsync(Route!);
        }

        _waits |= !handling.IsCompletedSuccessfully;
        return handling;
    }

    /// <summary>The packet has been handled.</summary>
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

        _dispatcher.OnBadBody(Context, route, new Frame(in _frame));
        return default;
    }
}
