using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AspNetCore.Tests;

public sealed class UsePlayChatTests
{
    private readonly TaskCompletionSource<CloseReason> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task Frames_come_back_and_a_FIN_ends_the_connection_after_the_answers()
    {
        await using TestApplication application = await StartAsync(TestApplication.Echo);
        using var client = new TcpClient();
        await client.ConnectAsync(application.Tcp);
        NetworkStream stream = client.GetStream();
        byte[] frame = MapPlayChatTests.Frame(300_000);

        await stream.WriteAsync(frame);
        client.Client.Shutdown(SocketShutdown.Send);
        byte[] answer = new byte[frame.Length];
        await stream.ReadExactlyAsync(answer).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(frame, answer);
        Assert.Equal(0, await stream.ReadAsync(new byte[1]).AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerClosed, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task TLS_is_that_of_Kestrel()
    {
        using var certificate = new TestCertificate();
        await using TestApplication application =
            await TestApplication.StartAsync(TestApplication.Echo, listen: options => options.UseHttps(certificate.Own));
        using var client = new TcpClient();
        await client.ConnectAsync(application.Tcp);
        await using var stream = new SslStream(client.GetStream(), leaveInnerStreamOpen: false, certificate.IsMine);
        await stream.AuthenticateAsClientAsync("localhost").WaitAsync(TestTimeouts.Hang);
        byte[] frame = MapPlayChatTests.Frame(70_000);

        await stream.WriteAsync(frame);
        byte[] answer = new byte[frame.Length];
        await stream.ReadExactlyAsync(answer).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(frame, answer);
    }

    [Fact]
    public async Task A_Unix_socket_of_Kestrel_serves_the_same_protocol()
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("chat.sock");
        await using TestApplication application = await TestApplication.StartAsync(
            TestApplication.Echo, kestrel: kestrel => kestrel.ListenUnixSocket(path, static listen => listen.UsePlayChat()));
        using var client = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await client.ConnectAsync(new UnixDomainSocketEndPoint(path));
        await using var stream = new NetworkStream(client);
        byte[] frame = MapPlayChatTests.Frame(70_000);

        await stream.WriteAsync(frame);
        byte[] answer = new byte[frame.Length];
        await stream.ReadExactlyAsync(answer).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(frame, answer);
    }

    [Fact]
    public async Task A_client_that_stops_reading_is_closed_and_Kestrel_can_stop()
    {
        await using TestApplication application = await StartAsync(static server =>
        {
            server.Options.Connections.MaxOutboundBytes = 256 * 1024;
            server.UseFraming(FrameFormat.LengthPrefixed(1 << 20)).OnFrame(static (connection, _) =>
            {
                byte[] body = new byte[100_000];
                while (connection.Send(body))
                {
                }
            });
        });
        using var client = new TcpClient();
        await client.ConnectAsync(application.Tcp);

        await client.GetStream().WriteAsync(MapPlayChatTests.Frame(1));

        Assert.Equal(CloseReason.SlowConsumer, await _closed.Task.WaitAsync(TestTimeouts.Hang));
        await application.StopAsync().WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_stop_of_the_application_ends_the_connections()
    {
        await using TestApplication application = await StartAsync(TestApplication.Echo);
        using var client = new TcpClient();
        await client.ConnectAsync(application.Tcp);
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 1);

        Task stopping = application.StopAsync();

        Assert.Equal(0, await client.GetStream().ReadAsync(new byte[1]).AsTask().WaitAsync(TestTimeouts.Hang));
        client.Close();
        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.ServerShutdown, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public void Listening_without_a_server_says_what_is_missing()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.UsePlayChat()));

        var thrown = Assert.Throws<InvalidOperationException>(builder.Build);

        Assert.Contains("AddPlayChat", thrown.Message, StringComparison.Ordinal);
    }

    private Task<TestApplication> StartAsync(Action<PlayChatServer> configure) => TestApplication.StartAsync(server =>
    {
        configure(server);
        server.OnDisconnected((_, reason) => _closed.TrySetResult(reason));
    });
}
