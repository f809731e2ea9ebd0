using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;

namespace PlayChat.Protocol;

/// <summary>
/// Makes many clients of one server, which share one connector. For one client <see cref="ChatClient.ConnectAsync"/> is enough.
/// </summary>
/// <remarks>Thread-safe.</remarks>
public sealed class ChatConnector : IAsyncDisposable
{
    private readonly string _host;
    private readonly int _port;
    private readonly ChatClientOptions _options;
    private readonly PlayChatConnector _connector;

    /// <summary>Makes a connector; it connects nothing yet.</summary>
    /// <param name="host">The server's address or name.</param>
    /// <param name="port">The server's port, 1 to 65,535.</param>
    /// <param name="options">The settings of all clients; the defaults without.</param>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public ChatConnector(string host, int port, ChatClientOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfLessThan(port, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        _host = host;
        _port = port;
        _options = options ?? new ChatClientOptions();
        _connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            static (connection, frame) => connection.Get<SessionKeeper>()!.OnFrame(connection, in frame),
            _options.ToConnectorOptions(host),
            closed: null,
            _options.Transport,
            _options.LoggerFactory,
            _options.TimeProvider);
    }

    /// <summary>Connects one more client, which has not logged in yet.</summary>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">
    /// The server did not answer in time, or refused; the message says which.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The connector was disposed.</exception>
    public Task<ChatClient> ConnectAsync(CancellationToken cancellationToken = default) => ConnectAsync(owner: null, cancellationToken);

    /// <summary>Logs out and closes every client that has not ended, and waits until all have ended.</summary>
    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    /// <param name="owner">What the client disposes with itself: this connector, when it is the client's own.</param>
    /// <param name="cancellationToken">Gives up.</param>
    internal async Task<ChatClient> ConnectAsync(IAsyncDisposable? owner, CancellationToken cancellationToken)
    {
        var client = new ChatClient(
            _options,
            (keeper, reconnect, token) =>
                _connector.ConnectLastingAsync(
                    _host, _port, keeper.EnterAsync, reconnect, connection => connection.Set(keeper), token),
            owner);
        await client.OpenAsync(cancellationToken).ConfigureAwait(false);
        return client;
    }
}
