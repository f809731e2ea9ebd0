using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Clients;

public sealed class ConnectorTests
{
    private static readonly IPEndPoint s_nowhere = new(IPAddress.Loopback, 1);

    [Fact]
    public async Task A_refused_connect_says_that_nobody_listens()
    {
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { });

        ConnectFailedException e = await Assert.ThrowsAsync<ConnectFailedException>(() => connector.ConnectAsync("127.0.0.1", 1));

        Assert.Contains("127.0.0.1:1", e.Message, StringComparison.Ordinal);
        Assert.Contains("connection refused", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connect_without_an_answer_ends_with_the_timeout()
    {
        var time = new ManualTimeProvider();
        await using var connector =
            new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { }, transport: new SilentTransport(), time: time);

        Task<Connection> connecting = connector.ConnectAsync(s_nowhere);
        time.Advance(TimeSpan.FromSeconds(10));

        ConnectFailedException e = await Assert.ThrowsAsync<ConnectFailedException>(() => connecting.WaitAsync(TestTimeouts.Hang));
        Assert.Contains("no answer within 10 seconds", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connect_can_be_cancelled()
    {
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { }, transport: new SilentTransport());
        using var cancellation = new CancellationTokenSource();

        Task<Connection> connecting = connector.ConnectAsync(s_nowhere, cancellationToken: cancellation.Token);
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Disposing_closes_every_connection_and_waits_for_its_callback()
    {
        int closed = 0;
        await using ServerHarness harness = await new ServerHarness().StartAsync();
        var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(), static (_, _) => { }, closed: (_, _) => closed++, transport: harness.Transport);
        Connection connection = await connector.ConnectAsync(harness.Server.EndPoints[0], static connection => connection.Set("state"));

        await connector.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, closed);
        Assert.Equal("state", connection.Get<string>());
        Assert.Equal(CloseReason.LocalClose, connection.CloseReason);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connector.ConnectAsync(harness.Server.EndPoints[0]));
    }

    [Fact]
    public void Wrong_options_are_named() =>
        Assert.Throws<OptionsException>(static () => new PlayChatConnector(
            FrameFormat.Packet(), static (_, _) => { }, new ConnectorOptions { ConnectTimeout = TimeSpan.Zero }));

    private sealed class SilentTransport : ITransport
    {
        public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null) =>
            throw new NotSupportedException();

        public async ValueTask<TransportConnection> ConnectAsync(
            EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
        {
            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
            throw new InvalidOperationException("Nobody answers.");
        }
    }
}
