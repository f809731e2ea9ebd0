namespace PlayChat.Connector;

/// <summary>What a handler knows about the packet that it handles. Thread-safe.</summary>
public sealed class PacketContext
{
    private readonly GameClient _client;
    private readonly Link _link;
    private readonly ushort _requestId;

    internal PacketContext(GameClient client, Link link, ushort requestId)
    {
        _client = client;
        _link = link;
        _requestId = requestId;
    }

    /// <summary>Whether the server awaits an answer.</summary>
    public bool IsRequest => _requestId != 0;

    /// <summary>Answers a request of the server, once.</summary>
    /// <param name="message">One packet of the set carries it.</param>
    /// <param name="id">The packet's id. Default: the one packet that carries the message.</param>
    /// <returns><see langword="false"/>, and nothing is sent, for a one-way packet and when the connection has ended.</returns>
    public bool Reply<TMessage>(TMessage message, ushort? id = null) => IsRequest && _client.Send(_link, message, _requestId, id);

    /// <summary>Ends the connection, because the packet is malformed.</summary>
    internal void Reject(string problem) => _link.Abort(CloseReason.ProtocolViolation, problem);
}
