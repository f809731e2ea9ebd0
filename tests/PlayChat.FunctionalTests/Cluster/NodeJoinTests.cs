using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>A cluster that gets another node while its clients talk.</summary>
[Trait("Tier", "Full")]
public sealed class NodeJoinTests
{
    [Fact]
    public async Task A_node_joins_under_load_and_serves_the_same_rooms_and_no_client_is_refused()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2);
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 6, rooms: 2);
        await load.WaitForAsync(100);

        await cluster.AddAsync();

        await using ChatClient dan = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[2].Port);
        var heard = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        dan.ChatReceived += (_, chat) =>
        {
            if (!chat.Message.System && chat.Message.Text != "from the new node")
            {
                heard.TrySetResult();
            }
        };
        await dan.LoginAsync("Dan");
        ClusterLoad.Talker[] others = [.. load.Talkers.Where(talker => talker.RoomId == load.Talkers[0].RoomId)];
        await dan.JoinRoomAsync(others[0].RoomId);
        await dan.ChatAsync(others[0].RoomId, "from the new node", dan.NewClientMessageId());
        await heard.Task.WaitAsync(TestTimeouts.Hang);
        await load.WaitForAsync(200);
        await load.StopAsync();
        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.All(others, static talker => Assert.Contains("from the new node", talker.Heard, StringComparer.Ordinal));
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks));
        Assert.All(load.Talkers, static talker => Assert.Equal((0, 0), (talker.Unavailable, talker.Timeouts)));
    }
}
