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

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_handshake_begins_when_a_start_is_free_and_gives_back_what_it_took(string transport)
    {
        var turns = new HandshakeTurns(steps: 1, starts: 1);
        using var certificate = TestCertificate.Create();
        (Socket peer, TransportConnection link) = await OpenAsync(transport);
        await turns.Starts.WaitAsync();
        bool hasBegun = false;
        Task<TlsConnection?> accepting = TlsConnection.AcceptAsync(
            link,
            (stream, token) =>
            {
                hasBegun = true;
                return stream.AuthenticateAsServerAsync(new() { ServerCertificate = certificate }, token);
            },
            turns,
            CancellationToken.None);
        Assert.False(hasBegun);

        turns.Starts.Release();
        await AuthenticateAsync(peer);

        using TlsConnection? accepted = await accepting.WaitAsync(TestTimeouts.Hang);
        Assert.NotNull(accepted);
        Assert.Equal((1, 1), (turns.Starts.CurrentCount, turns.Steps.CurrentCount));
        peer.Dispose();
    }

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_peer_that_has_sent_a_part_of_its_first_message_keeps_no_other_from_beginning(string transport)
    {
        var turns = new HandshakeTurns(steps: 1, starts: 1);
        using var certificate = TestCertificate.Create();
        (Socket slow, TransportConnection slowLink) = await OpenAsync(transport);
        await slow.SendAsync(new byte[] { 22, 3, 1 });
        await slowLink.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        Task<TlsConnection?> waiting = AcceptAsync(slowLink);

        (Socket peer, TransportConnection link) = await OpenAsync(transport);
        Task<TlsConnection?> accepting = AcceptAsync(link);
        await AuthenticateAsync(peer);

        using TlsConnection? accepted = await accepting.WaitAsync(TestTimeouts.Hang);
        Assert.NotNull(accepted);
        Assert.False(waiting.IsCompleted);
        slow.Dispose();
        Assert.Null(await waiting.WaitAsync(TestTimeouts.Hang));
        Assert.Equal((1, 1), (turns.Starts.CurrentCount, turns.Steps.CurrentCount));
        peer.Dispose();

        Task<TlsConnection?> AcceptAsync(TransportConnection accepted) => TlsConnection.AcceptAsync(
            accepted,
            (stream, token) => stream.AuthenticateAsServerAsync(new() { ServerCertificate = certificate }, token),
            turns,
            CancellationToken.None);
    }

    /// <summary>A link and, beneath its peer's TLS, the socket.</summary>
    private static async Task<(Socket Peer, TlsConnection Link)> ConnectAsync(string kind)
    {
        (Socket peer, TransportConnection link) = await OpenAsync(kind);
        using var certificate = TestCertificate.Create();
        Task<TlsConnection?> accepting = TlsConnection.AcceptAsync(link, new() { ServerCertificate = certificate }, CancellationToken.None);
        await AuthenticateAsync(peer);
        return (peer, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }

    private static Task AuthenticateAsync(Socket peer) =>
        new SslStream(new NetworkStream(peer, ownsSocket: false)).AuthenticateAsClientAsync(TestCertificate.TrustAny)
            .WaitAsync(TestTimeouts.Hang);

    private static async Task<(Socket Peer, TransportConnection Link)> OpenAsync(string kind)
    {
        ITransport transport = kind == "linux" ? NativeTransport.Create() : SocketTransport.Instance;
        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        var peer = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(listener.EndPoint).WaitAsync(TestTimeouts.Hang);
        return (peer, (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!);
    }
}
