using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes that fail under load, as processes of their own.</summary>
public sealed class NodeFailureTests
{
    private const string Lease = "--Cluster:Lease=00:00:03";

    [Fact]
    public async Task The_clients_of_a_killed_node_resume_elsewhere_and_nothing_acknowledged_is_lost_or_doubled()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2, Lease);
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 9, rooms: 3);
        await load.WaitForAsync(300);

        cluster.Nodes[0].Program.Kill();

        await load.WaitForAsync(600);
        await load.StopAsync();
        load.Verify();
        Assert.NotEmpty(load.Talkers[0].Breaks);
        await load.VerifyStoredAsync(cluster); // what the killed node had not stored, another one stores when the lease has ended
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Players_of_a_killed_node_that_is_back_before_its_lease_has_ended_leave_and_their_messages_are_stored()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 0);
        const string LongLease = "--Cluster:Lease=00:00:06"; // the node is back after half of it
        await cluster.AddAsync(LongLease, "--ChatLog:FlushInterval=00:01:00"); // stores nothing before it is killed
        await cluster.AddAsync(LongLease);
        await using ChatClient ann = await ChatClient.ConnectAsync(
            "127.0.0.1", cluster.Nodes[0].Port, new ChatClientOptions { Reconnect = false });
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[1].Port);
        await ann.LoginAsync("Ann");
        await bob.LoginAsync("Bob");
        long room = (await bob.CreateRoomAsync("lobby")).RoomId;
        await ann.JoinRoomAsync(room);
        Task left = LeftAsync(bob, "Ann");
        await ann.ChatAsync(room, "acknowledged", ann.NewClientMessageId());

        cluster.Nodes[0].Program.Kill();
        await cluster.RestartAsync(0);

        await left.WaitAsync(TestTimeouts.Hang);
        await using IChatStore store = await cluster.OpenStoreAsync();
        await Eventually.GetAsync(
            () => store.ReadChatBeforeAsync(room, long.MaxValue, 10),
            static stored => stored.Any(static record => record.Text == "acknowledged"));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_node_that_was_frozen_closes_its_clients_as_NodeFenced_and_joins_again()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2, Lease);
        await using ChatClient ann = await ChatClient.ConnectAsync(
            "127.0.0.1", cluster.Nodes[0].Port, new ChatClientOptions { KeepAlive = Timeout.InfiniteTimeSpan });
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[1].Port);
        await ann.LoginAsync("Ann");
        await bob.LoginAsync("Bob");
        long room = (await bob.CreateRoomAsync("lobby")).RoomId;
        await ann.JoinRoomAsync(room);
        Task left = LeftAsync(bob, "Ann");
        var why = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Reconnecting += (_, breaking) => why.TrySetResult(breaking.Reason);

        cluster.Nodes[0].Program.Suspend();
        await left.WaitAsync(TestTimeouts.Hang); // the other node has removed its members
        cluster.Nodes[0].Program.Resume();

        Assert.Equal(CloseReason.NodeFenced, await why.Task.WaitAsync(TestTimeouts.Hang));
        await cluster.Nodes[0].Program.WaitForLineAsync(
            static line => line.Contains("Node 1 has joined the cluster as ", StringComparison.Ordinal)
                && line.EndsWith(", incarnation 3.", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task An_idle_node_that_reaches_neither_database_nor_log_asks_the_log_and_closes_its_clients()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartWithDatabaseAsync(ClusterLog.RabbitMq, 1, Lease);
        await using ChatClient ann = await ChatClient.ConnectAsync(
            "127.0.0.1", cluster.Nodes[0].Port, new ChatClientOptions { KeepAlive = Timeout.InfiniteTimeSpan });
        await ann.LoginAsync("Ann");
        var why = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Reconnecting += (_, breaking) => why.TrySetResult(breaking.Reason);

        await cluster.Postgres.KillAsync();
        cluster.Broker.Freeze();

        try
        {
            Assert.Equal(CloseReason.NodeFenced, await why.Task.WaitAsync(TestTimeouts.Hang));
            // It had not waited until the connection to the broker was taken for broken.
            string told = cluster.Nodes[0].Program.Describe();
            Assert.DoesNotContain("The room log has lost", told, StringComparison.Ordinal);
            Assert.DoesNotContain("The backplane is Degraded", told, StringComparison.Ordinal);
        }
        finally
        {
            cluster.Broker.Thaw();
        }
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task The_clients_of_a_stopping_node_move_and_nothing_is_lost_or_doubled()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2, "--Sessions:ReturnWithin=00:00:01");
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 6, rooms: 3);
        await load.WaitForAsync(100);

        Assert.Equal(0, await cluster.Nodes[0].StopAsync());

        await load.WaitForAsync(300);
        await load.StopAsync();
        load.Verify();
        ClusterLoad.Talker[] moved = [.. load.Talkers.Where(static (_, i) => i % 2 == 0)]; // the clients of the first node
        Assert.All(moved, static talker => Assert.Equal([CloseReason.ServerShutdown], talker.Breaks));
        Assert.All(load.Talkers.Except(moved), static talker => Assert.Empty(talker.Breaks));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_client_that_logs_in_at_a_draining_node_is_served_by_another_one()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(
            ClusterLog.Postgres, 2, "--Operations:DrainDelay=00:10:00");
        cluster.Nodes[0].Program.Terminate();
        await cluster.Nodes[0].Program.WaitForLineAsync(static line => line.Contains("Draining: not ready", StringComparison.Ordinal));
        await using ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[0].Port);
        var why = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Reconnecting += (_, moving) => why.TrySetResult(moving.ServerMessage);

        await ann.LoginAsync("Ann").WaitAsync(TestTimeouts.Hang);

        Assert.Contains($"127.0.0.1:{cluster.Nodes[1].Port}", await why.Task.WaitAsync(TestTimeouts.Hang), StringComparison.Ordinal);
        long room = (await ann.CreateRoomAsync("lobby").WaitAsync(TestTimeouts.Hang)).RoomId;
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[1].Port);
        await bob.LoginAsync("Bob").WaitAsync(TestTimeouts.Hang);
        Assert.Equal(2, (await bob.JoinRoomAsync(room).WaitAsync(TestTimeouts.Hang)).Members.Count);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_killed_and_restarted_database_loses_and_doubles_nothing_that_was_acknowledged()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartWithDatabaseAsync(
            ClusterLog.Postgres, 2, "--Cluster:AnswerTimeout=00:00:01", "--Cluster:Lease=00:05:00"); // no node leaves the cluster meanwhile
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 6, rooms: 3);
        await load.WaitForAsync(100);

        await cluster.Postgres.KillAsync(); // log and directory
        await load.WaitForUnavailableAsync();
        await cluster.Postgres.StartAsync();

        await load.WaitForAsync(300);
        await load.StopAsync();
        load.Verify();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_killed_and_restarted_broker_loses_and_doubles_nothing_that_was_acknowledged()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(
            ClusterLog.RabbitMq, 2, "--Cluster:AnswerTimeout=00:00:01");
        await KillBrokerAsync(cluster);
    }

    /// <summary>With the default Cluster:AnswerTimeout of 5 seconds. Explicit: measures time.</summary>
    [Fact(Explicit = true)]
    [Trait("Tier", "Full")]
    public async Task When_the_broker_is_killed_every_sender_is_told_within_five_seconds()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.RabbitMq, 3);
        ClusterLoad.Talker[] talkers = await KillBrokerAsync(cluster);
        Assert.All(talkers, static talker => Assert.InRange(talker.LongestRefusal, TimeSpan.Zero, TimeSpan.FromSeconds(5)));
    }

    /// <summary>Completes when a client hears that a player has left its room.</summary>
    private static Task LeftAsync(ChatClient client, string name)
    {
        var left = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.ChatReceived += (_, chat) =>
        {
            if (chat.Message.Left?.Name == name)
            {
                left.TrySetResult();
            }
        };
        return left.Task;
    }

    private static async Task<ClusterLoad.Talker[]> KillBrokerAsync(ProcessCluster cluster)
    {
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 9, rooms: 3);
        await cluster.Broker.WaitForCoordinatorAsync();
        await load.WaitForAsync(300);

        await cluster.Broker.KillAsync();
        await load.WaitForUnavailableAsync();
        await cluster.Broker.StartAsync();

        await load.WaitForAsync(300);
        await load.StopAsync();
        load.Verify();
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks)); // the nodes and their clients stayed
        Assert.All(load.Talkers, static talker => Assert.Equal(0, talker.Timeouts)); // every request was answered
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"The longest wait for UNAVAILABLE was {load.Talkers.Max(static talker => talker.LongestRefusal)}.");
        return [.. load.Talkers];
    }
}
