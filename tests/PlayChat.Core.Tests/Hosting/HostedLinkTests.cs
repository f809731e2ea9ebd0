using System.IO.Pipelines;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>Connections of another server whose abort throws.</summary>
public sealed class HostedLinkTests
{
    private static readonly HostedLink s_faulty = new() { Abort = static () => throw new InvalidOperationException("No abort should.") };

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_pipe_whose_abort_throws_ends_and_the_exception_is_logged(bool starts)
    {
        var log = new RecordingLogger();
        await using var server = new PlayChatServer();
        HostedEndpoint endpoint = server.UseLogging(log).OnConnected(Abort).OnFrame(static (_, _) => { }).Host();
        if (starts)
        {
            await server.StartAsync();
        }

        (IDuplexPipe own, IDuplexPipe peer) = PipeTransport.CreatePair();

        await endpoint.ServeAsync(own, s_faulty).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, log.Count("AbortFault"));
        await Assert.ThrowsAsync<IOException>(() => peer.Input.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_WebSocket_whose_abort_throws_ends_and_the_exception_is_logged()
    {
        var log = new RecordingLogger();
        await using var server = new PlayChatServer();
        HostedWebSocket endpoint =
            server.UseLogging(log).OnConnected(Abort).OnFrame(static (_, _) => { }).HostWebSocket(new WebSocketOptions());
        await server.StartAsync();
        using var stream = new MemoryStream(); // has ended from the start

        await endpoint.ServeAsync(stream, "playchat.v1", s_faulty).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, log.Count("AbortFault"));
    }

    private static void Abort(Session session) => session.Connection.Abort(CloseReason.LocalClose);
}
