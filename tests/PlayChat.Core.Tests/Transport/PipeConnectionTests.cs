using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PlayChat.Core.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Transport;

/// <summary>What a link over a pipe does beyond the contract of all transports.</summary>
public sealed class PipeConnectionTests
{
    private static readonly IPEndPoint s_name = new(IPAddress.Loopback, 7000);
    private static readonly TransportOptions s_options = new();

    public static TheoryData<Exception, CloseReason> Faults => new()
    {
        { new IOException("The peer is gone."), CloseReason.PeerReset },
        { new IOException("The peer is gone.", new SocketException((int)SocketError.ConnectionReset)), CloseReason.PeerReset },
        { new SocketException((int)SocketError.TimedOut), CloseReason.PeerReset },
        { new OperationCanceledException("The owner aborted the connection."), CloseReason.LocalClose },
        { new ObjectDisposedException("stream"), CloseReason.LocalClose },
        { new InvalidOperationException("A fault of the pipe."), CloseReason.TransportFault },
    };

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task An_exception_of_the_input_ends_the_link_with_a_reason(Exception exception, CloseReason reason)
    {
        (TransportConnection link, IDuplexPipe peer) = await ConnectAsync();
        ValueTask<int> receiving = link.ReceiveAsync(new byte[10].AsMemory());

        await peer.Output.CompleteAsync(exception);

        Assert.Equal(0, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(reason, link.EndReason);
        Assert.Equal(0, await link.ReceiveAsync(new byte[10].AsMemory()).AsTask().WaitAsync(TestTimeouts.Hang));
        link.Dispose();
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task An_exception_of_the_output_ends_the_link_with_a_reason(Exception exception, CloseReason reason)
    {
        (TransportConnection link, IDuplexPipe peer) = await ConnectAsync();
        ValueTask<bool> sending = link.SendAsync(new byte[1_000_000]);

        await peer.Input.CompleteAsync(exception);

        Assert.False(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(reason, link.EndReason);
        link.Dispose();
    }

    [Fact]
    public async Task A_send_waits_for_the_reader_and_the_pipe_holds_no_more_than_its_threshold_and_one_flush()
    {
        using var memory = new SegmentMemoryPool(new CountingSegmentPool());
        (TransportConnection link, IDuplexPipe peer) = await ConnectAsync(memory, pauseBytes: 10_000);
        byte[] bytes = new byte[1_000_000];
        new Random(1).NextBytes(bytes);

        ValueTask<bool> sending = link.SendAsync(bytes);
        long most = 0;
        byte[] received = new byte[bytes.Length];
        for (int filled = 0; filled < received.Length;)
        {
            Assert.False(sending.IsCompleted && received.Length - filled > 64 * 1024);
            ReadResult result = await peer.Input.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            most = Math.Max(most, result.Buffer.Length);
            result.Buffer.CopyTo(received.AsSpan(filled));
            filled += (int)result.Buffer.Length;
            peer.Input.AdvanceTo(result.Buffer.End);
        }

        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(bytes, received);
        Assert.InRange(most, 1, 10_000 + (64 * 1024));
        link.Dispose();
    }

    [Fact]
    public async Task A_read_and_a_flush_that_other_code_cancels_do_not_end_the_link()
    {
        (IDuplexPipe one, IDuplexPipe other) = PipeTransport.CreatePair();
        TransportConnection link = await LinkAsync(one);
        ValueTask<int> receiving = link.ReceiveAsync(new byte[10].AsMemory());
        ValueTask<bool> sending = link.SendAsync(new byte[100_000]);

        one.Input.CancelPendingRead();
        one.Output.CancelPendingFlush();
        await other.Output.WriteAsync(new byte[] { 1, 2 });
        Task<byte[]> arriving = (await LinkAsync(other)).ReceiveAsync(100_000);

        Assert.Equal(2, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(100_000, (await arriving).Length);
        Assert.Equal(CloseReason.None, link.EndReason);
        link.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_accepted_pipe_is_the_links_until_it_has_ended_and_all_memory_is_returned(bool aborts)
    {
        var pool = new CountingSegmentPool();
        using var memory = new SegmentMemoryPool(pool);
        (IDuplexPipe own, IDuplexPipe peer) = PipeTransport.CreatePair(new PipeOptions(memory, useSynchronizationContext: false));
        var transport = new PipeTransport();
        await using TransportListener listener = ((ITransport)transport).Listen(s_name, s_options);

        Task accepted = transport.AcceptAsync(own, new IPEndPoint(IPAddress.Loopback, 40_000));
        TransportConnection link = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        await link.SendAsync(new byte[1000]);
        await peer.Output.WriteAsync(new byte[1000]);
        link.Shutdown();
        Assert.False(accepted.IsCompleted);
        ValueTask<int> receiving = default;
        if (aborts)
        {
            await link.ReceiveAsync(1000);
            receiving = link.ReceiveAsync(new byte[10].AsMemory());
            link.Abort();
        }

        link.Dispose();

        await accepted.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, await receiving);
        Assert.Equal(40_000, ((IPEndPoint)link.RemoteEndPoint!).Port);
        Assert.Equal(s_name, link.LocalEndPoint);
        await peer.Input.CompleteAsync();
        await peer.Output.CompleteAsync();
        pool.Verify();
    }

    [Fact]
    public async Task A_pipe_for_which_nothing_listens_is_aborted_at_once()
    {
        (IDuplexPipe own, IDuplexPipe peer) = PipeTransport.CreatePair();

        await new PipeTransport().AcceptAsync(own).WaitAsync(TestTimeouts.Hang);

        await Assert.ThrowsAsync<IOException>(() => peer.Input.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_token_that_is_cancelled_aborts_the_link()
    {
        using var cancellation = new CancellationTokenSource();
        (IDuplexPipe own, _) = PipeTransport.CreatePair();
        var transport = new PipeTransport();
        await using TransportListener listener = ((ITransport)transport).Listen(s_name, s_options);
        Task accepted = transport.AcceptAsync(own, cancellationToken: cancellation.Token);
        TransportConnection link = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        ValueTask<int> receiving = link.ReceiveAsync(new byte[10].AsMemory());

        await cancellation.CancelAsync();

        await accepted.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.LocalClose, link.EndReason);
    }

    [Fact]
    public async Task Pipes_beyond_the_backlog_wait_and_those_of_a_disposed_listener_are_aborted()
    {
        var transport = new PipeTransport();
        TransportListener listener = ((ITransport)transport).Listen(s_name, new TransportOptions { Backlog = 2 });
        Task[] accepting = [.. Enumerable.Range(0, 5).Select(_ => transport.AcceptAsync(PipeTransport.CreatePair().One))];

        TransportConnection link = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        await listener.DisposeAsync();

        await Task.WhenAll(accepting[1..]).WaitAsync(TestTimeouts.Hang);
        Assert.False(accepting[0].IsCompleted);
        link.Dispose();
        await accepting[0].WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_connect_function_that_fails_is_a_ConnectFailedException_that_names_the_address()
    {
        var broken = new PipeTransport(static (_, _) => throw new IOException("The relay is down."));
        var refused = new PipeTransport(static (_, _) => throw new SocketException((int)SocketError.ConnectionRefused));

        ConnectFailedException one =
            await Assert.ThrowsAsync<ConnectFailedException>(() => ((ITransport)broken).ConnectAsync(s_name, s_options).AsTask());
        ConnectFailedException other =
            await Assert.ThrowsAsync<ConnectFailedException>(() => ((ITransport)refused).ConnectAsync(s_name, s_options).AsTask());

        Assert.Equal((s_name, s_name), (one.EndPoint, other.EndPoint));
        Assert.Contains("The relay is down.", one.Message, StringComparison.Ordinal);
        Assert.Contains("connection refused", other.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_serves_the_sockets_of_other_code_as_pipes_over_streams()
    {
        var transport = new PipeTransport();
        await using PlayChatServer server = new PlayChatServer(static o => o.ListenTcp("127.0.0.1:0"))
            .UseTransport(transport).UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, frame) => connection.Send(in frame));
        await server.StartAsync();
        using var sockets = new TcpListener(IPAddress.Loopback, 0);
        sockets.Start();
        using var client = new TcpClient();
        await client.ConnectAsync((IPEndPoint)sockets.LocalEndpoint);
        await using var stream = new NetworkStream(await sockets.AcceptSocketAsync(), ownsSocket: true);

        Task served = transport.AcceptAsync(new DuplexPipe(PipeReader.Create(stream), PipeWriter.Create(stream)));
        byte[] frame = [0, 0, 0, 3, 1, 2, 3];
        await client.GetStream().WriteAsync(frame);
        byte[] echo = new byte[frame.Length];
        await client.GetStream().ReadExactlyAsync(echo).AsTask().WaitAsync(TestTimeouts.Hang);
        client.Close();

        await served.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(frame, echo);
        await Eventually.TrueAsync(() => server.Sessions.Count == 0);
    }

    private static async Task<(TransportConnection Link, IDuplexPipe Peer)> ConnectAsync(
        SegmentMemoryPool? memory = null, int pauseBytes = 64 * 1024)
    {
        (IDuplexPipe one, IDuplexPipe other) = PipeTransport.CreatePair(new PipeOptions(
            memory, pauseWriterThreshold: pauseBytes, resumeWriterThreshold: pauseBytes / 2, useSynchronizationContext: false));
        return (await LinkAsync(one), other);
    }

    private static ValueTask<TransportConnection> LinkAsync(IDuplexPipe pipe) =>
        ((ITransport)new PipeTransport((_, _) => new ValueTask<IDuplexPipe>(pipe))).ConnectAsync(s_name, s_options);
}
