using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Modes;

public sealed class RawModeTests
{
    [Fact]
    public async Task Echo_sends_bodies_of_up_to_64_KB_back()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync("--mode", "echo");
        await using RawClient client = await RawClient.ConnectAsync(FrameFormat.LengthPrefixed(), server.EndPoint);
        byte[] large = new byte[64 * 1024];
        Random.Shared.NextBytes(large);

        client.Connection.Send([]);
        client.Connection.Send("hi"u8);
        client.Connection.Send(large);

        Assert.Empty((await client.NextAsync()).Body);
        Assert.Equal("hi"u8.ToArray(), (await client.NextAsync()).Body);
        Assert.Equal(large, (await client.NextAsync()).Body);
    }

    [Theory]
    [InlineData("echo")]
    [InlineData("broadcast")]
    [InlineData("classroom")]
    public async Task A_load_generator_has_no_limits_of_players(string mode)
    {
        await using TestServer server = await TestServer.StartAsync(
            "--mode", mode, "--PlayChat:Connections:BytesPerSecond=262144", "--PlayChat:Connections:FramesPerSecond=500");
        PlayChatOptions options = server.Server.Options;

        Assert.Equal((0, 0), (options.Connections.BytesPerSecond, options.Connections.FramesPerSecond));
        Assert.Equal(
            (Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan), (options.Sessions.LoginTimeout, options.Sessions.IdleTimeout));
    }

    [Fact]
    public async Task Broadcast_passes_each_frame_as_it_came_to_the_room_of_its_sender_alone()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync("--mode=broadcast", "--rooms=2");
        List<RawClient> clients = [];
        try
        {
            for (int i = 0; i < 4; i++)
            {
                clients.Add(await RawClient.ConnectAsync(FrameFormat.SenderPrefixed(), server.EndPoint));
                // One after the other: which room it is depends on the order of acceptance.
                await Eventually.TrueAsync(() => server.Server.Rooms.All.Sum(room => room.MemberCount) == i + 1);
            }

            clients[0].Connection.Send("even"u8, new FrameHeader(SenderId: 7));
            clients[1].Connection.Send("odd"u8, new FrameHeader(SenderId: 8));
            (ushort SenderId, byte[] Body)[] received = await Task.WhenAll(clients.Select(client => client.NextAsync()));

            Assert.Equal([7, 8, 7, 8], received.Select(frame => (int)frame.SenderId));
            Assert.Equal("even"u8.ToArray(), received[2].Body);
            Assert.Equal("odd"u8.ToArray(), received[3].Body);
        }
        finally
        {
            foreach (RawClient client in clients)
            {
                await client.DisposeAsync();
            }
        }
    }

    [Fact]
    public async Task Broadcast_holds_its_senders_back_and_loses_nothing_when_a_room_is_behind()
    {
        const int Messages = 5_000;
        await using TestServer server = await TestServer.StartOnSocketsAsync("--mode=broadcast", "--PlayChat:Rooms:QueueItems=16");
        await using RawClient client = await RawClient.ConnectAsync(FrameFormat.SenderPrefixed(), server.EndPoint);

        for (int i = 0; i < Messages; i++)
        {
            Assert.True(client.Connection.Send(BitConverter.GetBytes(i), new FrameHeader(SenderId: 1)));
        }

        for (int i = 0; i < Messages; i++)
        {
            Assert.Equal(i, BitConverter.ToInt32((await client.NextAsync()).Body));
        }
    }
}
