using System.Net;
using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>What only the native transport can get wrong.</summary>
public sealed class LinuxConnectionTests : IDisposable
{
    private readonly TransportOptions _small = new() { SendBufferBytes = 4096, ReceiveBufferBytes = 4096 };
    private readonly LinuxTransport _transport = NativeTransport.Create(loops: 1);

    public void Dispose() => _transport.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1000)]
    public async Task A_gathered_send_of_any_number_of_pieces_arrives_whole_through_a_small_socket_buffer(int pieces)
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync(_small);
        byte[] bytes = new byte[pieces * 301];
        new Random(pieces).NextBytes(bytes);
        ArraySegment<byte>[] list = [.. Enumerable.Range(0, pieces).Select(i => new ArraySegment<byte>(bytes, i * 301, 301))];

        Task<bool> sending = client.SendAsync(list).AsTask();
        byte[] received = await server.ReceiveAsync(bytes.Length);

        Assert.Equal(bytes, received);
        Assert.True(await sending.WaitAsync(TestTimeouts.Hang));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Empty_pieces_and_no_pieces_at_all_are_sent_at_once()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        byte[] bytes = [1, 2];

        Assert.True(await client.SendAsync(Array.Empty<ArraySegment<byte>>()));
        Assert.True(await client.SendAsync(ReadOnlyMemory<byte>.Empty));
        Assert.True(await client.SendAsync(new[] { new ArraySegment<byte>(bytes, 0, 0), bytes, new ArraySegment<byte>(bytes, 2, 0) }));

        Assert.Equal(bytes, await server.ReceiveAsync(2));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_send_that_waits_goes_on_by_itself_before_anybody_awaits_it()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync(_small);
        byte[] bytes = new byte[1_000_000];

        ValueTask<bool> sending = client.SendAsync(bytes);
        Assert.False(sending.IsCompleted);
        byte[] received = await server.ReceiveAsync(bytes.Length);

        Assert.Equal(bytes.Length, received.Length);
        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task What_came_before_the_first_wait_and_what_comes_after_a_full_buffer_is_not_missed()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        byte[] bytes = [0, 1, 2, 3, 4, 5];
        await client.SendAsync(bytes);

        List<byte> received = [];
        byte[] one = new byte[1];
        while (received.Count < bytes.Length)
        {
            await server.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            Assert.Equal(1, await server.ReceiveAsync(one.AsMemory()).AsTask().WaitAsync(TestTimeouts.Hang));
            received.Add(one[0]);
        }

        Assert.Equal(bytes, received);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Data_and_the_end_that_come_together_are_both_seen()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        await client.SendAsync(new byte[] { 1, 2, 3 });
        client.Shutdown();
        await server.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        byte[] received = await server.ReceiveToEndAsync();

        Assert.Equal([1, 2, 3], received);
        Assert.Equal(CloseReason.PeerClosed, server.EndReason);
        Assert.True(server.WaitForDataAsync().IsCompleted); // for ever: there is nothing to wait for
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_reader_is_called_on_the_loop_for_data_and_for_the_end_and_not_for_what_is_there_already()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        TransportConnection source = server;

        var data = new Reader();
        Assert.True(source.TryWaitForData(data));
        await client.SendAsync(new byte[] { 1, 2 });
        Assert.True(await data.CalledOnLoop.WaitAsync(TestTimeouts.Hang));
        Assert.False(source.TryWaitForData(new Reader()));
        Assert.Equal(2, await server.ReceiveAsync(new byte[8].AsMemory())); // less than there is room for: that was all

        var end = new Reader();
        Assert.True(source.TryWaitForData(end));
        client.Dispose();
        Assert.True(await end.CalledOnLoop.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, await server.ReceiveAsync(new byte[1].AsMemory()));
        Assert.False(source.TryWaitForData(new Reader()));
        server.Dispose();
    }

    [Fact]
    public async Task A_reader_of_a_link_that_is_disposed_is_called()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        var reader = new Reader();
        Assert.True(server.TryWaitForData(reader));

        server.Dispose();

        Assert.False(await reader.CalledOnLoop.WaitAsync(TestTimeouts.Hang));
        client.Dispose();
    }

    [Fact]
    public async Task Addresses_are_those_of_the_peer_and_of_this_side()
    {
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.IPv6Any, 0), new TransportOptions());
        Assert.SkipUnless(System.Net.Sockets.Socket.OSSupportsIPv6, "This machine has no IPv6.");
        int port = ((IPEndPoint)listener.EndPoint).Port;

        foreach (IPAddress address in new[] { IPAddress.IPv6Loopback, IPAddress.Loopback })
        {
            using TransportConnection client = await _transport.ConnectAsync(new IPEndPoint(address, port), new TransportOptions());
            using TransportConnection server = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;

            // As the runtime's sockets have it: IPv4 over a dual-stack listener is mapped.
            Assert.Equal(new IPEndPoint(address, port), client.RemoteEndPoint);
            Assert.Equal(new IPEndPoint(address.MapToIPv6(), port), server.LocalEndPoint);
            Assert.Equal(((IPEndPoint)client.LocalEndPoint!).Port, ((IPEndPoint)server.RemoteEndPoint!).Port);
        }
    }

    [Fact]
    public async Task A_link_that_is_disposed_while_it_waits_ends_what_waits_and_its_events_reach_nobody()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        Task waiting = server.WaitForDataAsync().AsTask();
        Task<bool> sending = server.SendAsync(new byte[64 * 1024 * 1024]).AsTask();

        server.Dispose();

        await waiting.WaitAsync(TestTimeouts.Hang);
        Assert.False(await sending.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, await server.ReceiveAsync(new byte[1].AsMemory()));
        Assert.False(await server.SendAsync(new byte[1]));
        Assert.Equal(CloseReason.LocalClose, server.EndReason);
        Assert.DoesNotContain(server, _transport.Loops[0].Targets.OfType<TransportConnection>());
        server.Abort();
        server.Shutdown();
        client.Dispose();
    }

    [Fact]
    public async Task Aborts_and_disposals_from_other_threads_never_touch_the_file_of_a_later_link()
    {
        // Every round leaves a number free that the next round's link takes at once: a call that came too late would reset or read that.
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        (TransportConnection Client, TransportConnection Server) = await ConnectAsync(listener);
        for (int round = 0; round < 300; round++)
        {
            using var start = new Barrier(3);
            (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
            Task[] tasks =
            [
                Task.Run(async () =>
                {
                    start.SignalAndWait();
                    byte[] buffer = new byte[1000];
                    while (await server.ReceiveAsync(buffer.AsMemory()) > 0)
                    {
                    }
                }),
                Task.Run(async () =>
                {
                    start.SignalAndWait();
                    while (await server.SendAsync(new byte[1000]))
                    {
                    }
                }),
                Task.Run(() =>
                {
                    start.SignalAndWait();
                    if (round % 2 == 0)
                    {
                        server.Abort();
                    }

                    server.Dispose();
                    server.Abort();
                }),
            ];
            await Task.WhenAll(tasks).WaitAsync(TestTimeouts.Hang);
            client.Dispose();
        }

        Assert.True(await Client.SendAsync(new byte[] { 7 }));
        Assert.Equal([7], await Server.ReceiveAsync(1));
        Assert.Equal(CloseReason.None, Server.EndReason);
        Client.Dispose();
        Server.Dispose();
    }

    [Fact]
    public async Task A_reset_is_one_whichever_call_takes_the_sockets_error()
    {
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        byte[] bytes = new byte[1];
        for (int round = 0; round < 300; round++)
        {
            (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
            Task<int> receiving = server.ReceiveAsync(new byte[1].AsMemory()).AsTask();
            Task sending = Task.Run(async () =>
            {
                while (await server.SendAsync(bytes))
                {
                }
            });

            client.Abort();
            await Task.WhenAll(receiving, sending).WaitAsync(TestTimeouts.Hang);

            Assert.Equal(CloseReason.PeerReset, server.EndReason);
            client.Dispose();
            server.Dispose();
        }
    }

    [Fact]
    public async Task Many_links_of_one_loop_echo_side_by_side()
    {
        const int Links = 200;
        const int Rounds = 50;
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        async Task EchoAsync(TransportConnection link)
        {
            byte[] buffer = new byte[100];
            while (await link.ReceiveAsync(buffer.AsMemory()).ConfigureAwait(false) is var received and > 0)
            {
                await link.SendAsync(buffer.AsMemory(0, received)).ConfigureAwait(false);
            }

            link.Dispose();
        }

        async Task AskAsync(TransportConnection link)
        {
            for (byte i = 0; i < Rounds; i++)
            {
                await link.SendAsync(new[] { i });
                Assert.Equal([i], await link.ReceiveAsync(1));
            }

            link.Shutdown();
            Assert.Empty(await link.ReceiveToEndAsync());
            link.Dispose();
        }

        List<Task> tasks = [];
        for (int i = 0; i < Links; i++)
        {
            (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
            tasks.Add(Task.Run(() => EchoAsync(server)));
            tasks.Add(Task.Run(() => AskAsync(client)));
        }

        await Task.WhenAll(tasks).WaitAsync(TestTimeouts.Hang);
    }

    private async Task<(TransportConnection Client, TransportConnection Server)> ConnectAsync(
        TransportListener listener, TransportOptions options)
    {
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
        TransportConnection client = await _transport.ConnectAsync(listener.EndPoint, options);
        return (client, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }

    private Task<(TransportConnection Client, TransportConnection Server)> ConnectAsync(TransportListener listener) =>
        ConnectAsync(listener, new TransportOptions());

    private async Task<(TransportConnection Client, TransportConnection Server)> ConnectAsync(TransportOptions? options = null)
    {
        options ??= new TransportOptions();
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), options);
        return await ConnectAsync(listener, options);
    }

    private sealed class Reader : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource<bool> _called = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task<bool> CalledOnLoop => _called.Task;

        public void Execute() => _called.SetResult(ILocalWorkQueue.Current is not null);
    }
}
