using PlayChat.Core.Connections;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>A message on its way out through the filters. Valid during the call.</summary>
public abstract class OutgoingPacket
{
    private readonly PacketFilter[] _filters;
    private int _next;

    private protected OutgoingPacket(PacketFilter[] filters)
    {
        _filters = filters;
    }

    /// <summary>Where it goes; <see langword="null"/> when a room sends it to several.</summary>
    public Connection? Connection { get; internal init; }

    /// <summary>How many it goes to.</summary>
    public int Recipients { get; internal init; }

    /// <summary>As which kind of packet.</summary>
    public abstract PacketType Type { get; }

    /// <summary>What is sent; not to be changed.</summary>
    public abstract object? Message { get; }

    /// <summary>The request that it answers; 0 for none.</summary>
    public ushort RequestId { get; internal init; }

    /// <summary>Calls the next filter, and after the last one sends. At most once.</summary>
    /// <returns>What the send returns.</returns>
    /// <exception cref="InvalidOperationException">It was called by this filter already.</exception>
    public bool Next()
    {
        int at = _next;
        if (at > _filters.Length)
        {
            throw new InvalidOperationException(
                "The packet was passed on already: a filter calls the next one once, and does not keep the packet.");
        }

        _next = at + 1;
        try
        {
            return at < _filters.Length ? _filters[at].OnSend(this) : Send();
        }
        finally
        {
            _next = _filters.Length + 1; // the filter has made its one call, and those behind are done
        }
    }

    private protected abstract bool Send();
}
