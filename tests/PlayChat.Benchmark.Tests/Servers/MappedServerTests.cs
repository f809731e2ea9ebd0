using System.Net;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Servers;

/// <summary>PlayChat on ASP.NET Core does what the measured server does, or the comparison says nothing.</summary>
public sealed class MappedServerTests
{
    [Fact]
    public async Task It_echoes()
    {
        await using WebServer server = await MappedServer.StartEchoAsync(port: 0);
        await using Client client = await Client.ConnectAsync(server, FrameFormat.LengthPrefixed());

        client.Connection.Send([1, 2, 3]);

        Assert.Equal([1, 2, 3], await client.NextAsync());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public async Task It_sends_each_frame_to_the_senders_room_alone(int flushMilliseconds)
    {
        await using WebServer server =
            await MappedServer.StartBroadcastAsync(port: 0, rooms: 2, TimeSpan.FromMilliseconds(flushMilliseconds));
        var clients = new List<Client>();
        try
        {
            for (byte i = 0; i < 4; i++)
            {
                Client client = await Client.ConnectAsync(server, FrameFormat.SenderPrefixed());
                clients.Add(client);
                client.Connection.Send([i], new FrameHeader(i)); // its own echo says that it is in its room
                Assert.Equal([i], await client.NextAsync());
            }

            // Those who were there before have heard of it, too.
            Assert.Equal([2], await clients[0].NextAsync());
            Assert.Equal([3], await clients[1].NextAsync());
            clients[3].Connection.Send([9], new FrameHeader(3));

            Assert.Equal([9], await clients[1].NextAsync());
            Assert.Equal([9], await clients[3].NextAsync());
            clients[0].Connection.Send([8], new FrameHeader(0));
            Assert.Equal([8], await clients[0].NextAsync());
            Assert.Equal([8], await clients[2].NextAsync());
        }
        finally
        {
            foreach (Client client in clients)
            {
                await client.DisposeAsync();
            }
        }
    }

    private sealed class Client(PlayChatConnector connector, Connection connection, Channel<byte[]> frames) : IAsyncDisposable
    {
        public Connection Connection => connection;

        public static async Task<Client> ConnectAsync(WebServer server, FrameFormat format)
        {
            var frames = Channel.CreateUnbounded<byte[]>();
            var connector = new PlayChatConnector(
                format, (_, frame) => frames.Writer.TryWrite(frame.ToArray()), transport: new WebSocketTransport { Subprotocol = null });
            return new Client(connector, await connector.ConnectAsync(new IPEndPoint(IPAddress.Loopback, server.Port)), frames);
        }

        public Task<byte[]> NextAsync() => frames.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        public ValueTask DisposeAsync() => connector.DisposeAsync();
    }
}
