using System.Threading.Channels;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Direct messages between players of different nodes, which are processes of their own.</summary>
public sealed class DirectChatTests
{
    [Fact]
    public async Task Messages_reach_the_player_on_its_node_in_order_and_nobody_else()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2);
        await using ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", cluster.Ports[0]);
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", cluster.Ports[1]);
        await using ChatClient cho = await ChatClient.ConnectAsync("127.0.0.1", cluster.Ports[1]);
        await ann.LoginAsync("Ann");
        long bobsId = (await bob.LoginAsync("Bob")).PlayerId;
        long chosId = (await cho.LoginAsync("Cho")).PlayerId;
        Channel<string> bobs = Listen(bob);
        Channel<string> chos = Listen(cho);

        for (int i = 0; i < 10; i++)
        {
            await ann.SendDirectAsync(bobsId, $"{i}");
        }

        await ann.SendDirectAsync(chosId, "hi");

        for (int i = 0; i < 10; i++)
        {
            Assert.Equal($"Ann: {i}", await bobs.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        }

        Assert.Equal("Ann: hi", await chos.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang)); // its first one
        await bob.DisposeAsync();
        await ann.SendDirectAsync(bobsId, "gone");
        await using ChatClient back = await ChatClient.ConnectAsync("127.0.0.1", cluster.Ports[0]);
        Conversation unread = Assert.Single((await back.LoginAsync("Bob")).UnreadConversations);

        Assert.Equal((11u, "gone", 11L), (unread.Unread, unread.Last.Text, unread.Last.Number));
    }

    private static Channel<string> Listen(ChatClient client)
    {
        var heard = Channel.CreateUnbounded<string>();
        client.DirectChatReceived += (_, message) => heard.Writer.TryWrite($"{message.PlayerName}: {message.Text}");
        return heard;
    }
}
