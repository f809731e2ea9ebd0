using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A server and a connector use what a transport says that it can do.</summary>
public sealed class TransportCapabilityTests
{
    [Fact]
    public async Task A_server_and_a_connector_give_the_transport_their_log()
    {
        using var serverLog = new RecordingLogger();
        using var clientLog = new RecordingLogger();
        var transport = new InlineTransport();
        await using PlayChatServer server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseTransport(transport)
            .UseLogging(serverLog)
            .OnFrame(static (_, _) => { });
        await server.StartAsync();
        await using var connector =
            new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { }, transport: transport, loggers: clientLog);

        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);

        Assert.Equal(CloseReason.None, connection.CloseReason);
        Assert.Same(serverLog, transport.ListenLogger);
        Assert.Same(clientLog, transport.ConnectLogger);
    }

    [Fact]
    public async Task A_transport_that_says_nothing_completes_elsewhere_and_logs_nothing()
    {
        ITransport transport = new InMemoryTransport();
        using var log = new RecordingLogger();

        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions(), log);
        using TransportConnection client = await transport.ConnectAsync(listener.EndPoint, new TransportOptions(), log);

        Assert.False(transport.CompletesInline);
        Assert.Empty(log.Entries);
    }

    /// <summary>The in-memory transport, with other capabilities.</summary>
    private sealed class InlineTransport : ITransport
    {
        private readonly InMemoryTransport _inner = new();

        internal ILogger? ListenLogger { get; private set; }

        internal ILogger? ConnectLogger { get; private set; }

        public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null)
        {
            ListenLogger = logger;
            return _inner.Listen(endPoint, options);
        }

        public ValueTask<TransportConnection> ConnectAsync(
            EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
        {
            ConnectLogger = logger;
            return _inner.ConnectAsync(endPoint, options, cancellationToken: cancellationToken);
        }
    }
}
