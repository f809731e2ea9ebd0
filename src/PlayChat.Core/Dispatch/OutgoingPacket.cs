namespace PlayChat.Core.Dispatch;

/// <summary>A message that passes the filters before it is sent. Valid only during the filter's call.</summary>
public abstract class OutgoingPacket
{
    private readonly PacketFilter[] _filters;
    private int _next;

    private protected OutgoingPacket(PacketFilter[] filters)
    {
        _filters = filters;
    }

    /// <summary>The receiver's connection; <see langword="null"/> if a room sends the message to several members.</summary>
    public Connection? Connection { get; internal init; }

    /// <summary>The number of receivers.</summary>
    public int Recipients { get; internal init; }

    /// <summary>The kind of packet that carries the message.</summary>
    public abstract PacketType Type { get; }

    /// <summary>The message. Do not change it.</summary>
    public abstract object? Message { get; }

    /// <summary>The id of the request that the message answers; 0 if it is not an answer.</summary>
    public ushort RequestId { get; internal init; }

    /// <summary>Calls the next filter; after the last filter it sends the message. Call it at most once.</summary>
    /// <returns>The result of the send.</returns>
    /// <exception cref="InvalidOperationException">This filter has already called the method.</exception>
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
