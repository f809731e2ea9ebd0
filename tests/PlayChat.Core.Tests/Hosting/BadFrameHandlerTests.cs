using System.Text;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>What an application learns of bytes that are no frame.</summary>
public sealed class BadFrameHandlerTests
{
    [Theory]
    [InlineData("GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n", CloseReason.FrameTooLarge)]
    [InlineData("\u007f\u007f\u007f\u007f", "\u007f\u007f\u007f\u007f", CloseReason.FrameTooLarge)]
    [InlineData("\0\0\0\u0003abc", "\0\0\0\u0003abc", CloseReason.ProtocolViolation)]
    [InlineData("\0\0\0\u0004ABCD\0\0\0\u0001!", "\0\0\0\u0001!", CloseReason.ProtocolViolation)]
    public async Task The_handler_gets_at_most_16_bytes_from_where_the_frame_should_begin(
        string sent, string expected, CloseReason reason)
    {
        var seen = new TaskCompletionSource<(string Start, CloseReason Reason)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using PlayChatServer server = await StartAsync(
            server => server.OnBadFrame((_, closes, start) => seen.SetResult((Encoding.Latin1.GetString(start), closes))));
        using RawPeer peer = await RawPeer.ConnectAsync(((System.Net.IPEndPoint)server.EndPoints[0]).Port);

        await peer.SendAsync(Encoding.Latin1.GetBytes(sent));

        Assert.Equal((expected, reason), await seen.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Null(await peer.ReceiveLastPacketAsync());
    }

    [Fact]
    public async Task A_handler_that_throws_changes_nothing()
    {
        var closed = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using PlayChatServer server = await StartAsync(server => server
            .OnBadFrame(static (_, _, _) => throw new InvalidOperationException("test"))
            .OnDisconnected((_, reason) => closed.SetResult(reason)));
        using RawPeer peer = await RawPeer.ConnectAsync(((System.Net.IPEndPoint)server.EndPoints[0]).Port);

        await peer.SendAsync("GET / HTTP/1.1\r\n\r\n"u8.ToArray());

        Assert.Null(await peer.ReceiveLastPacketAsync());
        peer.Dispose();
        Assert.Equal(CloseReason.FrameTooLarge, await closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    private static async Task<PlayChatServer> StartAsync(Action<PlayChatServer> configure)
    {
        var server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"));
        server.OnFrame(static (_, _) => { });
        configure(server);
        await server.StartAsync();
        return server;
    }
}
