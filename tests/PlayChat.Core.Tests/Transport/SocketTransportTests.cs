using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class SocketTransportTests : TcpTransportTests
{
    protected override ITransport Transport => SocketTransport.Instance;

    [Fact]
    public async Task A_link_has_a_sender_of_its_own_only_when_a_send_had_to_wait()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();
        var link = (SocketTransportConnection)client;
        byte[] many = new byte[64 * 1024 * 1024];

        Assert.True(await client.SendAsync(new byte[] { 1 }));
        Assert.Equal([1], await server.ReceiveAsync(1));
        Assert.Null(link.Sender);

        Task<bool> sending = client.SendAsync(many).AsTask();
        SocketSender? own = link.Sender;
        Assert.NotNull(own);
        await server.ReceiveAsync(many.Length).WaitAsync(TestTimeouts.Hang);
        Assert.True(await sending.WaitAsync(TestTimeouts.Hang));
        Assert.True(await client.SendAsync(new byte[] { 2 }));
        Assert.Same(own, link.Sender);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task The_local_address_is_that_of_the_socket_while_the_link_lives()
    {
        (TransportConnection client, TransportConnection server) = await ConnectAsync();

        Assert.Equal(client.RemoteEndPoint, server.LocalEndPoint);
        Assert.Equal(server.RemoteEndPoint, client.LocalEndPoint);
        client.Dispose();
        server.Dispose();
        Assert.Null(client.LocalEndPoint);
    }
}
