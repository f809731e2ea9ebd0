using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Transport;

/// <summary>A TLS link whose peer does after the handshake what it likes.</summary>
public sealed class TlsConnectionTests
{
    // Application data, by its header.
    private static readonly byte[] s_record = [23, 3, 3, 0, 32, .. new byte[32]];

    private static readonly byte[] s_noRecord = new byte[100];

    public static MatrixTheoryData<string, bool, bool> Garbage => new(["sockets", "linux"], [true, false], [true, false]);

    [Theory]
    [MemberData(nameof(Garbage))]
    public async Task What_cannot_be_decrypted_ends_the_link_at_once_as_TlsFailed(string transport, bool isRecord, bool waits)
    {
        (Socket peer, TlsConnection link) = await ConnectAsync(transport);
        await peer.SendAsync(isRecord ? s_record : s_noRecord);

        if (waits)
        {
            await link.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        }

        Assert.Equal(0, await link.ReceiveAsync(new byte[100].AsMemory()).AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.TlsFailed, link.EndReason);
        link.Dispose();
        peer.Dispose();
    }

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_reset_beneath_it_is_a_reset(string transport)
    {
        (Socket peer, TlsConnection link) = await ConnectAsync(transport);
        peer.LingerState = new LingerOption(enable: true, seconds: 0);
        peer.Dispose();

        await link.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, await link.ReceiveAsync(new byte[100].AsMemory()).AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, link.EndReason);
        link.Dispose();
    }

    /// <summary>A link and, beneath its peer's TLS, the socket.</summary>
    private static async Task<(Socket Peer, TlsConnection Link)> ConnectAsync(string kind)
    {
        ITransport transport = kind == "linux" ? NativeTransport.Create() : SocketTransport.Instance;
        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        var peer = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(listener.EndPoint).WaitAsync(TestTimeouts.Hang);
        TransportConnection link = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;

        using var certificate = TestCertificate.Create();
        Task<TlsConnection?> accepting = TlsConnection.AcceptAsync(link, new() { ServerCertificate = certificate }, CancellationToken.None);
        var stream = new SslStream(new NetworkStream(peer, ownsSocket: false));
        await stream.AuthenticateAsClientAsync(TestCertificate.TrustAny).WaitAsync(TestTimeouts.Hang);
        return (peer, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }
}
