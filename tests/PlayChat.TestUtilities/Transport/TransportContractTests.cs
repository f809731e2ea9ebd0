using System.Net;
using PlayChat.Core;
using PlayChat.Core.Transport;
using Xunit;

namespace PlayChat.TestUtilities.Transport;

/// <summary>Tests that every transport must pass; a class per transport derives from it.</summary>
public abstract class TransportContractTests
{
    private readonly TransportOptions _options = new();

    protected abstract ITransport Transport { get; }

    protected abstract EndPoint AnyEndPoint { get; }

    [Fact]
    public async Task Bytes_arrive_in_order_and_whole_in_both_directions()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        byte[] bytes = new byte[1_000_000];
        new Random(7).NextBytes(bytes);

        Task<byte[]> toServer = server.ReceiveAsync(bytes.Length);
        Task<byte[]> toClient = client.ReceiveAsync(bytes.Length);
        bool[] sent = await Task.WhenAll(client.SendAsync(bytes).AsTask(), server.SendAsync(bytes).AsTask()).WaitAsync(TestTimeouts.Hang);

        Assert.Equal([true, true], sent);
        Assert.Equal(bytes, await toServer);
        Assert.Equal(bytes, await toClient);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_gathered_send_arrives_in_order_and_may_alternate_with_a_plain_one()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        byte[] bytes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

        for (int round = 0; round < 3; round++)
        {
            Assert.True(await client.SendAsync(new[] { new ArraySegment<byte>(bytes, 0, 3), new ArraySegment<byte>(bytes, 3, 4) }));
            Assert.True(await client.SendAsync(bytes.AsMemory(7)));
            Assert.Equal(bytes, await server.ReceiveAsync(bytes.Length));
        }

        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Shutdown_ends_one_direction_after_what_was_sent()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();

        await client.SendAsync(new byte[] { 1, 2, 3 });
        client.Shutdown();
        byte[] received = await server.ReceiveToEndAsync();
        Assert.True(await server.SendAsync(new byte[] { 4 }));
        byte[] answer = await client.ReceiveAsync(1);

        Assert.Equal([1, 2, 3], received);
        Assert.Equal(CloseReason.PeerClosed, server.EndReason);
        Assert.Equal([4], answer);
        Assert.Equal(CloseReason.None, client.EndReason);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Who_has_shut_down_can_send_no_more_and_still_receives()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();

        client.Shutdown();
        Assert.False(await client.SendAsync(new byte[] { 1 })); // what EndReason says of it is the transport's own: sockets call it a reset
        Assert.True(await server.SendAsync(new byte[] { 2 }));

        Assert.Equal([2], await client.ReceiveAsync(1));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Abort_ends_what_is_under_way_and_the_peer_sees_a_reset()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        ValueTask<int> receiving = client.ReceiveAsync(new byte[10].AsMemory());
        ValueTask<int> peerReceiving = server.ReceiveAsync(new byte[10].AsMemory());

        client.Abort();
        client.Abort();

        Assert.Equal(0, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.LocalClose, client.EndReason);
        Assert.Equal(0, await peerReceiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, server.EndReason);
        Assert.False(await client.SendAsync(new byte[1]));
        Assert.Equal(0, await client.ReceiveAsync(new byte[1].AsMemory()));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Abort_ends_a_send_that_the_peer_does_not_read()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        ValueTask<bool> sending = client.SendAsync(new byte[64 * 1024 * 1024]);
        Assert.False(sending.IsCompleted);

        client.Abort();

        Assert.False(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Links_send_while_the_send_of_another_link_waits()
    {
        (TransportConnection slowClient, TransportConnection slowServer) = await ConnectAsync();
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        byte[] many = new byte[64 * 1024 * 1024];
        new Random(7).NextBytes(many);
        Task<bool> sending = slowClient.SendAsync(many).AsTask();
        Assert.False(sending.IsCompleted);

        for (byte i = 0; i < 3; i++)
        {
            Assert.True(await client.SendAsync(new[] { i }));
            Assert.Equal([i], await server.ReceiveAsync(1));
        }

        Assert.Equal(many, await slowServer.ReceiveAsync(many.Length).WaitAsync(TestTimeouts.Hang));
        Assert.True(await sending.WaitAsync(TestTimeouts.Hang));
        Assert.True(await slowClient.SendAsync(new byte[] { 9 }));
        Assert.Equal([9], await slowServer.ReceiveAsync(1));
        slowClient.Dispose();
        slowServer.Dispose();
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_send_to_a_peer_that_is_gone_fails_in_the_end()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        server.Dispose();

        async Task UntilItFailsAsync()
        {
            while (await client.SendAsync(new byte[10_000]))
            {
                // The first ones may still go into buffers.
            }
        }

        await UntilItFailsAsync().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.PeerReset, client.EndReason);
        client.Dispose();
    }

    [Fact]
    public async Task Waiting_for_data_completes_with_data_and_takes_none()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        ValueTask waiting = server.WaitForDataAsync();
        Assert.False(waiting.IsCompleted);

        await client.SendAsync(new byte[] { 42 });
        await waiting.AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal([42], await server.ReceiveAsync(1));

        ValueTask waitingForEnd = server.WaitForDataAsync();
        client.Shutdown();
        await waitingForEnd.AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, await server.ReceiveAsync(new byte[1].AsMemory()));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_reset_that_is_there_before_anybody_waits_for_data_is_seen_as_one()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();

        client.Abort();
        await server.WaitForDataAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, await server.ReceiveAsync(new byte[1].AsMemory()).AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, server.EndReason);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task A_listener_that_is_disposed_gives_null_and_its_address_is_free_again()
    {
        TransportListener listener = Transport.Listen(AnyEndPoint, _options);
        EndPoint endPoint = listener.EndPoint;
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();

        await listener.DisposeAsync();

        Assert.Null(await accepting.WaitAsync(TestTimeouts.Hang));
        await using TransportListener again = Transport.Listen(endPoint, _options);
        Assert.Equal(endPoint, again.EndPoint);
    }

    [Fact]
    public async Task An_address_in_use_is_a_ListenFailedException_that_names_it()
    {
        await using TransportListener listener = Transport.Listen(AnyEndPoint, _options);

        ListenFailedException e = Assert.Throws<ListenFailedException>(() => Transport.Listen(listener.EndPoint, _options));

        Assert.Contains(listener.EndPoint.ToString()!, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connect_to_nobody_is_a_ConnectFailedException_that_names_it()
    {
        TransportListener listener = Transport.Listen(AnyEndPoint, _options);
        EndPoint endPoint = listener.EndPoint;
        await listener.DisposeAsync();

        ConnectFailedException e =
            await Assert.ThrowsAsync<ConnectFailedException>(() => Transport.ConnectAsync(endPoint, _options).AsTask());

        Assert.Equal(endPoint, e.EndPoint);
        Assert.Contains("connection refused", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_rush_of_connects_is_accepted_in_full()
    {
        await using TransportListener listener = Transport.Listen(AnyEndPoint, _options);

        TransportConnection[] clients = await Task.WhenAll(
            Enumerable.Range(0, 300).Select(_ => Transport.ConnectAsync(listener.EndPoint, _options).AsTask()))
            .WaitAsync(TestTimeouts.Hang);
        List<TransportConnection> servers = [];
        while (servers.Count < clients.Length)
        {
            servers.Add((await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!);
        }

        Assert.All(clients.Concat(servers), link => Assert.Equal(CloseReason.None, link.EndReason));
        foreach (TransportConnection link in clients.Concat(servers))
        {
            link.Dispose();
        }
    }

    /// <summary>Connects a pair of links.</summary>
    protected async Task<(TransportConnection Client, TransportConnection Server)> ConnectAsync()
    {
        await using TransportListener listener = Transport.Listen(AnyEndPoint, _options);
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
        TransportConnection client = await Transport.ConnectAsync(listener.EndPoint, _options);
        TransportConnection? server = await accepting.WaitAsync(TestTimeouts.Hang);
        return (client, server!);
    }
}
