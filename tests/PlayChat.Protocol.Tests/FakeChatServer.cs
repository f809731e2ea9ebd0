using System.Net;
using System.Threading.Channels;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>A server that does what the test says, one packet at a time.</summary>
internal sealed class FakeChatServer : IAsyncDisposable
{
    private readonly PlayChatServer _server;
    private readonly Channel<FakeRequest> _requests = Channel.CreateUnbounded<FakeRequest>();
    private readonly Channel<Connection> _connections = Channel.CreateUnbounded<Connection>();
    private readonly TaskCompletionSource _reads = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _stopsReading;

    private FakeChatServer(Action<EndpointOptions>? configure)
    {
        _server = new PlayChatServer(options =>
            {
                options.StopTimeout = TimeSpan.Zero;
                EndpointOptions endpoint = options.ListenTcp("127.0.0.1:0");
                configure?.Invoke(endpoint);
            })
            .OnConnected(session => _connections.Writer.TryWrite(session.Connection))
            .OnFrameAsync(TakeAsync);
    }

    public int Port => ((IPEndPoint)_server.EndPoints[0]).Port;

    public static async Task<FakeChatServer> StartAsync(Action<EndpointOptions>? configure = null)
    {
        var server = new FakeChatServer(configure);
        await server._server.StartAsync();
        return server;
    }

    /// <summary>Connects a client; the connection is the server's side of it.</summary>
    public async Task<(ChatClient Client, Connection Connection)> ConnectAsync(Action<ChatClientOptions>? configure = null)
    {
        var options = new ChatClientOptions();
        configure?.Invoke(options);
        ChatClient client = await ChatClient.ConnectAsync("127.0.0.1", Port, options).WaitAsync(TestTimeouts.Hang);
        return (client, await AcceptAsync());
    }

    /// <summary>The next connection that was accepted.</summary>
    public Task<Connection> AcceptAsync() => _connections.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    /// <summary>The next packet that came, whichever it is.</summary>
    public Task<FakeRequest> ReceiveAsync() => _requests.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    /// <summary>Nothing more is read after the next packet, until the server ends.</summary>
    public void StopReading() => Volatile.Write(ref _stopsReading, true);

    public async ValueTask DisposeAsync()
    {
        _reads.TrySetResult();
        await _server.DisposeAsync();
    }

    private ValueTask TakeAsync(Connection connection, Frame frame, CancellationToken cancellationToken)
    {
        _requests.Writer.TryWrite(new FakeRequest(connection, (PacketId)frame.Header.PacketId, frame.Header.RequestId, frame.ToArray()));
        return Volatile.Read(ref _stopsReading) ? new ValueTask(_reads.Task) : default;
    }
}
