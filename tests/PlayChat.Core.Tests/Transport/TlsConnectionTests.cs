using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using PlayChat.Core.Tests.Connections;
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
    [InlineData(16 * 1024, 1)]
    [InlineData((32 * 1024) + 1, 1)]
    [InlineData(64 * 1024, 1)]
    [InlineData(200_000, 4)]
    public async Task A_large_send_arrives_whole_and_takes_one_send_of_the_link_beneath_for_64_KB(int bytes, int sends)
    {
        int sent = 0;
        (Socket socket, TransportConnection beneath) = await OpenAsync("sockets");
        (SslStream peer, TlsConnection link) =
            await ConnectAsync(socket, new CountingLink(beneath, () => sent++), SslProtocols.None);
        Assert.True(link.BringsRecords);
        byte[] content = new byte[bytes];
        new Random(bytes).NextBytes(content);
        byte[] received = new byte[bytes];
        ArraySegment<byte>[] pieces =
            [new(content, 0, 5), new(content, 5, bytes - 10_005), new(content, bytes - 10_000, 10_000)];

        foreach (Func<ValueTask<bool>> sendAsync in new[] { () => link.SendAsync(content), () => link.SendAsync(pieces) })
        {
            sent = 0;
            Task reading = peer.ReadExactlyAsync(received).AsTask();
            Assert.True(await sendAsync().AsTask().WaitAsync(TestTimeouts.Hang));
            await reading.WaitAsync(TestTimeouts.Hang);
            Assert.Equal(content, received);
            Assert.Equal(sends, sent);
            received.AsSpan().Clear();
        }

        link.Dispose();
        await peer.DisposeAsync();
    }

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_large_send_to_a_peer_that_does_not_read_ends_with_the_link(string transport)
    {
        (Socket peer, TlsConnection link) = await ConnectAsync(transport);
        Task<bool> sending = link.SendAsync(new byte[64 * 1024 * 1024]).AsTask();
        Assert.False(sending.IsCompleted);

        link.Abort();

        Assert.False(await sending.WaitAsync(TestTimeouts.Hang));
        Assert.False(await link.SendAsync(new byte[100_000]).AsTask().WaitAsync(TestTimeouts.Hang));
        link.Dispose();
        peer.Dispose();
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

    [Fact]
    public async Task A_reader_waits_at_the_link_beneath_once_all_records_that_were_there_are_received()
    {
        (SslStream peer, TlsConnection link) = await ConnectAsync(SslProtocols.Tls13);
        Assert.True(link.KnowsReadiness);
        Assert.Null(link.TryWaitForData(new Reader())); // what came with the handshake may be inside

        await SendTogetherAsync(peer, [1, 2, 3], [4, 5, 6], [7, 8, 9]);
        await link.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal([1, 2, 3, 4], await ReceiveAsync(link, atMost: 4));
        Assert.Null(link.TryWaitForData(new Reader())); // the receive was filled, so there may be more
        Assert.Equal([5, 6, 7, 8, 9], await ReceiveAsync(link, atMost: 10));

        var reader = new Reader();
        Assert.True(link.TryWaitForData(reader));
        await SendTogetherAsync(peer, [1, 1, 1], [2, 2, 2]);
        await reader.Called.WaitAsync(TestTimeouts.Hang);
        Assert.Equal([1, 1, 1, 2, 2, 2], await ReceiveAsync(link, atMost: 10));
        link.Dispose();
        await peer.DisposeAsync();
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public async Task A_close_notify_behind_data_is_seen_without_another_byte(SslProtocols version)
    {
        (SslStream peer, TlsConnection link) = await ConnectAsync(version);

        await peer.WriteAsync(new byte[] { 1, 2, 3 });
        await peer.ShutdownAsync();
        await peer.FlushAsync();

        Assert.Equal([1, 2, 3], await ReceiveAsync(link, atMost: 10));
        Assert.Null(link.TryWaitForData(new Reader()));
        Assert.Empty(await ReceiveAsync(link, atMost: 10));
        Assert.Equal(CloseReason.PeerClosed, link.EndReason);
        link.Dispose();
        await peer.DisposeAsync();
    }

    [Fact]
    public async Task A_close_notify_that_came_with_the_handshake_and_data_is_seen_without_another_byte()
    {
        (Socket peer, TransportConnection beneath) = await OpenAsync("linux");
        // TCP_CORK: the system keeps small segments for up to 200 ms, so that these three arrive together.
        peer.SetRawSocketOption(optionLevel: 6, optionName: 3, BitConverter.GetBytes(1));
        (SslStream stream, TlsConnection link) = await ConnectAsync(
            peer,
            beneath,
            SslProtocols.Tls13,
            async stream =>
            {
                await stream.WriteAsync(new byte[] { 1, 2, 3 });
                await stream.ShutdownAsync();
                await stream.FlushAsync();
                peer.SetRawSocketOption(optionLevel: 6, optionName: 3, BitConverter.GetBytes(0));
            });

        Assert.Equal([1, 2, 3], await ReceiveAsync(link, atMost: 10));
        Assert.Null(link.TryWaitForData(new Reader()));
        Assert.Empty(await ReceiveAsync(link, atMost: 10));
        link.Dispose();
        await stream.DisposeAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_reader_that_waits_beneath_is_called_when_the_peer_closes_and_when_the_link_is_aborted(bool byPeer)
    {
        (SslStream peer, TlsConnection link) = await ConnectAsync(SslProtocols.Tls13);
        await SendTogetherAsync(peer, [1, 2, 3]);
        Assert.Equal([1, 2, 3], await ReceiveAsync(link, atMost: 10));
        var reader = new Reader();
        Assert.True(link.TryWaitForData(reader));

        if (byPeer)
        {
            await peer.DisposeAsync();
        }
        else
        {
            link.Abort();
        }

        await reader.Called.WaitAsync(TestTimeouts.Hang);
        Assert.Empty(await ReceiveAsync(link, atMost: 10));
        Assert.Equal(byPeer ? CloseReason.PeerClosed : CloseReason.LocalClose, link.EndReason);
        link.Dispose();
        await peer.DisposeAsync();
    }

    private static async Task SendTogetherAsync(SslStream peer, params byte[][] records)
    {
        foreach (byte[] record in records)
        {
            await peer.WriteAsync(record);
        }

        await peer.FlushAsync();
    }

    private static async Task<byte[]> ReceiveAsync(TlsConnection link, int atMost)
    {
        byte[] buffer = new byte[atMost];
        int received = await link.ReceiveAsync(buffer).AsTask().WaitAsync(TestTimeouts.Hang);
        return buffer[..received];
    }

    /// <summary>A link over the native transport and its peer, which sends when it is flushed.</summary>
    private static async Task<(SslStream Peer, TlsConnection Link)> ConnectAsync(SslProtocols version)
    {
        (Socket peer, TransportConnection link) = await OpenAsync("linux");
        return await ConnectAsync(peer, link, version);
    }

    /// <param name="peer">The peer's socket.</param>
    /// <param name="link">The other end.</param>
    /// <param name="version">Of TLS; None for the newest.</param>
    /// <param name="thenAsync">What the peer does as soon as its part of the handshake is over.</param>
    private static async Task<(SslStream Peer, TlsConnection Link)> ConnectAsync(
        Socket peer, TransportConnection link, SslProtocols version, Func<SslStream, Task>? thenAsync = null)
    {
        using var certificate = TestCertificate.Create();
        Task<TlsConnection?> accepting = TlsConnection.AcceptAsync(
            link,
            (server, token) => server.AuthenticateAsServerAsync(
                new() { ServerCertificate = certificate, EnabledSslProtocols = version }, token),
            turns: null,
            CancellationToken.None);
        // Its buffer is smaller than the reads of SslStream, so these pass it by.
        var stream = new SslStream(new BufferedStream(new NetworkStream(peer, ownsSocket: true), bufferSize: 2048));
        await stream.AuthenticateAsClientAsync(TestCertificate.TrustAny).WaitAsync(TestTimeouts.Hang);
        if (thenAsync is not null)
        {
            await thenAsync(stream).WaitAsync(TestTimeouts.Hang);
        }

        return (stream, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }

    /// <summary>A link and, beneath its peer's TLS, the socket.</summary>
    private static async Task<(Socket Peer, TlsConnection Link)> ConnectAsync(string kind)
    {
        (Socket peer, TransportConnection beneath) = await OpenAsync(kind);
        (_, TlsConnection link) = await ConnectAsync(peer, beneath, SslProtocols.None);
        return (peer, link);
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

    private sealed class Reader : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource _called = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Called => _called.Task;

        public void Execute() => _called.SetResult();
    }
}
