using System.ComponentModel;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Google.Protobuf;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A real HAProxy in front of the server. Its PROXY protocol header says from where each client comes.</summary>
[Trait("Tier", "Full")]
public sealed class HaproxyTests
{
    private const string ClientAddress = "127.0.7.1";
    private const string Password = "secret 1234"; // behind a proxy every player needs one

    [Theory]
    [InlineData("send-proxy-v2", false)]
    [InlineData("send-proxy-v2", true)]
    [InlineData("send-proxy", false)]
    public async Task The_server_sees_the_client_s_address(string header, bool tls)
    {
        using var certificate = new TestCertificate();
        await using ServerProcess server = await ServerProcess.StartAsync(
            ["--PlayChat:Endpoints:0:ProxyProtocol:TrustedSources=127.0.0.1", .. tls ? certificate.WritePem() : []]);
        using var folder = new TemporaryDirectory();
        (ProgramProcess haproxy, int port) = await StartHaproxyAsync(folder, server.Port, header);
        await using (haproxy)
        {
            using Socket socket = await ConnectAsync(port);
            await using Stream stream = tls ? await EncryptAsync(socket, certificate) : new NetworkStream(socket);
            byte[] login = new CLoginReq { Name = "Visitor", Password = Password, ClientVersion = "test" }.ToByteArray();
            await stream.WriteAsync(RawPeer.Packet((ushort)PacketId.CLoginReq, 1, login), TestContext.Current.CancellationToken);

            string line = await server.Program.WaitForLineAsync(
                static line => line.Contains("(Visitor) logged in", StringComparison.Ordinal));
            string source = ((IPEndPoint)socket.LocalEndPoint!).ToString();
            Assert.Contains($"from {source} ", line, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task The_limit_of_an_address_holds_for_the_client_and_not_for_the_proxy()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--PlayChat:Endpoints:0:ProxyProtocol:TrustedSources=127.0.0.1", "--PlayChat:Connections:LimitsLoopback=true",
            "--PlayChat:Connections:MaxConnectionsPerAddress=2");
        using var folder = new TemporaryDirectory();
        (ProgramProcess haproxy, int port) = await StartHaproxyAsync(folder, server.Port, "send-proxy-v2");
        await using (haproxy)
        {
            using RawPeer first = await RawPeer.ConnectAsync(port, source: IPAddress.Parse(ClientAddress));
            using RawPeer second = await RawPeer.ConnectAsync(port, source: IPAddress.Parse(ClientAddress));
            await server.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "now", "connections") == 2);

            using RawPeer third = await RawPeer.ConnectAsync(port, source: IPAddress.Parse(ClientAddress));
            await third.ReceiveLastPacketAsync(); // it ends after a notice, or is reset
            await using ChatClient other = await ChatClient.ConnectAsync(
                "127.0.0.1", port, new ChatClientOptions { ConnectTimeout = TestTimeouts.Hang, RequestTimeout = TestTimeouts.Hang });

            await other.LoginAsync("other", Password); // from 127.0.0.1
        }
    }

    // HAProxy cannot say which port it has taken, so it is given a free one; another process may have taken that meanwhile.
    private static async Task<(ProgramProcess Haproxy, int Port)> StartHaproxyAsync(
        TemporaryDirectory folder, int serverPort, string header)
    {
        List<string> failures = [];
        string configuration = folder.Combine("haproxy.cfg");
        for (int attempt = 0; attempt < 5; attempt++)
        {
            int port = FreePort();
            await File.WriteAllTextAsync(configuration, $"""
                defaults
                    mode tcp
                    timeout connect 60s
                    timeout client 60s
                    timeout server 60s

                listen chat
                    bind 127.0.0.1:{port.ToString(CultureInfo.InvariantCulture)}
                    server playchat 127.0.0.1:{serverPort.ToString(CultureInfo.InvariantCulture)} {header}

                """);
            ProgramProcess haproxy = StartHaproxy(configuration, folder.Path);
            if (await ListensAsync(haproxy, port))
            {
                return (haproxy, port);
            }

            failures.Add(haproxy.Describe());
            await haproxy.DisposeAsync();
        }

        throw new InvalidOperationException("HAProxy did not start: " + string.Join(Environment.NewLine, failures));
    }

    private static ProgramProcess StartHaproxy(string configuration, string folder)
    {
        try
        {
            return ProgramProcess.Start("haproxy", folder, "-db", "-f", configuration);
        }
        catch (Win32Exception)
        {
            Assert.Skip("There is no haproxy on the PATH.");
            throw;
        }
    }

    // It says nothing when it listens. The probe is a connection of its own, which the server sees come and go.
    private static async Task<bool> ListensAsync(ProgramProcess haproxy, int port)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        while (!haproxy.Exited.IsCompleted)
        {
            try
            {
                using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                await probe.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), hang.Token);
                return true;
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionRefused)
            {
                await timer.WaitForNextTickAsync(hang.Token);
            }
        }

        return false;
    }

    private static int FreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    private static async Task<Socket> ConnectAsync(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Parse(ClientAddress), 0));
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), hang.Token);
        return socket;
    }

    private static async Task<SslStream> EncryptAsync(Socket socket, TestCertificate certificate)
    {
        var stream = new SslStream(new NetworkStream(socket), leaveInnerStreamOpen: false, certificate.IsMine);
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost" }, hang.Token);
        return stream;
    }
}
