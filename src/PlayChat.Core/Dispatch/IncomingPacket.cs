using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>A received packet as one of its filters sees it. Used again when its handler is done: a filter must not keep it.</summary>
public sealed class IncomingPacket
{
    private readonly IncomingWay _way;
    private readonly int _index;
    private bool _hasGoneOn = true;

    internal IncomingPacket(IncomingWay way, int index)
    {
        _way = way;
        _index = index;
    }

    /// <summary>Who sent it; may be kept.</summary>
    public PacketContext Context => _way.Context;

    /// <summary>Which kind of packet it is; <see langword="null"/> when its id is mapped to no handler.</summary>
    public PacketType? Type => _way.Route?.Type;

    /// <summary>Its length in bytes, without the header.</summary>
    public int BodyBytes => _way.BodyBytes;

    /// <summary>
    /// What it says, decoded when it is first asked for; <see langword="null"/> when its id is unknown or its body malformed, and after
    /// <see cref="NextAsync"/> where the type is transient.
    /// </summary>
    public object? Message => _way.Message;

    /// <summary>Goes on to the next filter, and after the last one to the handler. At most once.</summary>
    /// <returns>Completes when they are done.</returns>
    /// <exception cref="InvalidOperationException">It was called by this filter already, or after the packet's end.</exception>
    public ValueTask NextAsync()
    {
        if (_hasGoneOn)
        {
            throw new InvalidOperationException("The packet has gone on: a filter calls the next one once, and does not keep the packet.");
        }

        _hasGoneOn = true;
        return _way.GoOnAsync(_index + 1);
    }

    /// <summary>The filter gets it.</summary>
    internal IncomingPacket Begin()
    {
        _hasGoneOn = false;
        return this;
    }

    /// <summary>The packet's way has ended.</summary>
    internal void End() => _hasGoneOn = true;
}
