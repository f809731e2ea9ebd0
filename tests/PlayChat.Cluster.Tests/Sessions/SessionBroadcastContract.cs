using PlayChat.Cluster.Broadcast;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Sessions;

/// <summary>Broadcasts to the sessions of all nodes, over the log of each engine.</summary>
public abstract class SessionBroadcastContract(Func<Task<BackplaneSpace>> createSpace) : LogContract(createSpace)
{
    [Fact]
    public async Task The_players_of_all_nodes_hear_every_broadcast_once_and_in_one_order()
    {
        const int Each = 100;
        await using BroadcastNode one = await BroadcastNode.StartAsync();
        await using BroadcastNode two = await BroadcastNode.StartAsync();
        await using IAsyncDisposable first = await one.Sessions.JoinClusterAsync(await Space.ConnectAsync(new(1, 11)), Stop);
        await using IAsyncDisposable second = await two.Sessions.JoinClusterAsync(await Space.ConnectAsync(new(2, 12)), Stop);

        PublishResult[] results = await Task.WhenAll(Enumerable.Range(0, Each).SelectMany(i => new[]
        {
            one.Sessions.BroadcastPacketAsync(new Notice($"1:{i}"), Stop),
            two.Sessions.BroadcastPacketAsync(new Notice($"2:{i}"), Stop),
        })).WaitAsync(TestTimeouts.Hang);

        Assert.All(results, static result => Assert.Equal(PublishResult.Accepted, result));
        await one.WaitForAsync(2 * Each);
        await two.WaitForAsync(2 * Each);
        Assert.Equal(one.Heard, two.Heard);
        Assert.Equal(2 * Each, one.Heard.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(
            Enumerable.Range(0, Each).Select(static i => $"1:{i}"),
            one.Heard.Where(static text => text.StartsWith("1:", StringComparison.Ordinal)),
            StringComparer.Ordinal);
        Assert.Empty(one.HeardByStranger);
        Assert.Empty(two.HeardByStranger);
    }

    [Fact]
    public async Task A_broadcast_is_refused_while_the_log_is_away_and_after_the_server_has_left_the_cluster()
    {
        await using BroadcastNode node = await BroadcastNode.StartAsync();
        RoomBackplane log = await Space.ConnectAsync(new(1, 11), new BackplaneOptions { PendingTimeout = TimeSpan.FromSeconds(1) });
        IAsyncDisposable joined = await node.Sessions.JoinClusterAsync(log, Stop);

        await Space.SuspendAsync();
        log.Publish(0, ShardRecorder.Record("not answered")); // so that the node notices it
        await Eventually.TrueAsync(() => log.State != BackplaneState.Up);
        PublishResult away = await node.Sessions.BroadcastPacketAsync(new Notice("away"), Stop).WaitAsync(TestTimeouts.Hang);
        await Space.ResumeAsync();
        await Eventually.TrueAsync(() => log.State == BackplaneState.Up);
        PublishResult back = await node.Sessions.BroadcastPacketAsync(new Notice("back"), Stop).WaitAsync(TestTimeouts.Hang);
        await joined.DisposeAsync();
        PublishResult left = await node.Sessions.BroadcastPacketAsync(new Notice("left"), Stop).WaitAsync(TestTimeouts.Hang);

        Assert.Equal((PublishResult.Unavailable, PublishResult.Accepted, PublishResult.Unavailable), (away, back, left));
        await node.WaitForAsync(1);
        Assert.Equal(["back"], node.Heard);
    }

    [Fact]
    public async Task Readers_of_the_log_that_are_no_servers_do_not_see_broadcasts()
    {
        await using BroadcastNode node = await BroadcastNode.StartAsync();
        RoomBackplane log = await Space.ConnectAsync(new(1, 11));
        var recorder = new ShardRecorder();
        await log.SubscribeAsync(0, SubscribeFrom.Tail, recorder, Stop);
        await using IAsyncDisposable joined = await node.Sessions.JoinClusterAsync(log, Stop);

        await node.Sessions.BroadcastPacketAsync(new Notice("to players"), Stop).WaitAsync(TestTimeouts.Hang);
        log.Publish(0, ShardRecorder.Record("to readers"));

        Assert.Equal(["to readers"], await recorder.WaitAsync(1));
        await node.WaitForAsync(1);
        Assert.Equal(["to players"], node.Heard);
    }

    [Fact]
    public async Task A_server_that_has_joined_no_cluster_tells_its_own_players()
    {
        await using BroadcastNode node = await BroadcastNode.StartAsync();

        Assert.Equal(PublishResult.Accepted, await node.Sessions.BroadcastPacketAsync(new Notice("here"), Stop));

        await node.WaitForAsync(1);
        Assert.Equal(["here"], node.Heard);
        Assert.Empty(node.HeardByStranger);
    }
}
