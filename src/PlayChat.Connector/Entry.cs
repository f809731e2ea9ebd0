namespace PlayChat.Connector;

/// <summary>A connection that is being entered: what it sends goes out before everything else. Thread-safe.</summary>
public sealed class Entry
{
    private readonly GameClient _client;
    private readonly Link _link;

    internal Entry(GameClient client, Link link, Resume? resume)
    {
        _client = client;
        _link = link;
        Resume = resume;
    }

    /// <summary><see langword="null"/> when there is no session to resume: log in, join, or whatever your server asks for.</summary>
    public Resume? Resume { get; }

    /// <summary>As <see cref="GameClient.SendPacket"/>, on this connection.</summary>
    public bool SendPacket<TMessage>(TMessage message, ushort? id = null) => _client.Send(_link, message, 0, id);

    /// <summary>As <see cref="GameClient.RequestAsync"/>, on this connection alone: its end fails the request.</summary>
    public Task<TResponse> RequestAsync<TResponse>(
        object request, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        _client.AskAsync<TResponse>(request, timeout, repeat: false, _link, cancellationToken);

    /// <summary>Awaits the next packet of this kind, which then does not go to its handler.</summary>
    /// <param name="id">The packet's id. Default: the one packet that carries the message.</param>
    /// <param name="timeout">Default <see cref="ClientOptions.RequestTimeout"/>.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <exception cref="TimeoutException">It did not come in time.</exception>
    /// <exception cref="ConnectionClosedException">The connection has ended.</exception>
    /// <exception cref="RequestFailedException">The packet that came is no such message.</exception>
    public Task<TMessage> NextAsync<TMessage>(ushort? id = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        _client.NextAsync<TMessage>(_link, id, timeout, cancellationToken);
}
