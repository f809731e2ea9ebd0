namespace PlayChat.Core.Dispatch;

/// <summary>A received packet as one of its filters sees it. Used again when its handler is done: a filter must not keep it.</summary>
public sealed class IncomingPacket
{
    private readonly FilterPipeline _pipeline;
    private readonly int _index;
    private bool _hasContinued = true;

    internal IncomingPacket(FilterPipeline pipeline, int index)
    {
        _pipeline = pipeline;
        _index = index;
    }

    /// <summary>The sender and the request id. The filter may keep it.</summary>
    public PacketContext Context => _pipeline.Context;

    /// <summary>The kind of packet; <see langword="null"/> if no handler is mapped to its id.</summary>
    public PacketType? Type => _pipeline.Route?.Type;

    /// <summary>Its length in bytes, without the header.</summary>
    public int BodyBytes => _pipeline.BodyBytes;

    /// <summary>
    /// The message, decoded when you first read this property. <see langword="null"/> if the id is unknown or the body malformed, and,
    /// for a transient type, after <see cref="NextAsync"/>.
    /// </summary>
    public object? Message => _pipeline.Message;

    /// <summary>Calls the next filter, and after the last one the handler. At most once.</summary>
    /// <returns>Completes when they are done.</returns>
    /// <exception cref="InvalidOperationException">It was called by this filter already, or after the packet's end.</exception>
    public ValueTask NextAsync()
    {
        if (_hasContinued)
        {
            throw new InvalidOperationException(
                "The packet was passed on already: a filter calls the next one once, and does not keep the packet.");
        }

        _hasContinued = true;
        return _pipeline.ContinueAsync(_index + 1);
    }

    /// <summary>The filter gets it.</summary>
    internal IncomingPacket Begin()
    {
        _hasContinued = false;
        return this;
    }

    /// <summary>The packet has been handled.</summary>
    internal void End() => _hasContinued = true;
}
