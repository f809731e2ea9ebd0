using System.Diagnostics;
using System.Net;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>
/// What the other tests of this folder show with short times, here with the default settings and the times that operators are told. They
/// print their figures. Explicit: they take up to a minute each and need a machine that does nothing else.
/// </summary>
[Trait("Tier", "Full")]
public sealed class FullLengthTests
{
    private const int Clients = 30;
    private const int Rooms = 6;

    [Theory(Explicit = true)]
    [InlineData(ClusterLog.Postgres)]
    [InlineData(ClusterLog.RabbitMq)]
    public async Task The_clients_of_a_killed_node_are_back_within_3_seconds_and_a_lost_player_leaves_within_12(ClusterLog log)
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(log, 3);
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, Clients, Rooms);
        await using ChatClient lost = await ChatClient.ConnectAsync(
            "127.0.0.1", cluster.Nodes[0].Port, new ChatClientOptions { Reconnect = false });
        await lost.LoginAsync("Lost");
        await lost.JoinRoomAsync(load.Talkers[1].RoomId);
        var left = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        load.Talkers[1].Client.ChatReceived += (_, chat) =>
        {
            if (chat.Message.Left is { Name: "Lost" })
            {
                left.TrySetResult(Stopwatch.GetTimestamp());
            }
        };
        await load.WaitForAsync(1000);

        long killed = Stopwatch.GetTimestamp();
        cluster.Nodes[0].Program.Kill();

        TimeSpan leftAfter = Stopwatch.GetElapsedTime(killed, await left.Task.WaitAsync(TestTimeouts.Hang));
        await load.StopAsync();
        ClusterLoad.Talker[] moved = [.. load.Talkers.Where(static talker => !talker.Breaks.IsEmpty)];
        TimeSpan back = moved.Max(static talker => talker.LongestBreak);
        Print($"{moved.Length} clients were back after at most {back.TotalSeconds:F2} s; the lost player had left after "
            + $"{leftAfter.TotalSeconds:F2} s; {Acknowledged(load)} messages acknowledged.");
        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.Equal(Clients / 3, moved.Length);
        Assert.InRange(back, TimeSpan.Zero, TimeSpan.FromSeconds(3));
        Assert.InRange(leftAfter, TimeSpan.Zero, TimeSpan.FromSeconds(12));
    }

    [Theory(Explicit = true)]
    [InlineData(ClusterLog.Postgres)]
    [InlineData(ClusterLog.RabbitMq)]
    public async Task A_node_that_was_frozen_for_20_seconds_closes_its_clients_and_what_it_still_says_is_heard_once(ClusterLog log)
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(log, 3);
        await using ClusterLoad load = await ClusterLoad.StartAsync([.. cluster.Ports.Skip(1)], Clients, Rooms);
        await using ChatClient ann = await ChatClient.ConnectAsync(
            [new IPEndPoint(IPAddress.Loopback, cluster.Nodes[0].Port), new IPEndPoint(IPAddress.Loopback, cluster.Nodes[1].Port)],
            new ChatClientOptions { KeepAlive = Timeout.InfiniteTimeSpan, RequestTimeout = TestTimeouts.Hang });
        await ann.LoginAsync("Ann");
        await ann.JoinRoomAsync(load.Talkers[1].RoomId);
        var why = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Reconnecting += (_, breaking) => why.TrySetResult(breaking.Reason);
        await load.WaitForAsync(1000);

        cluster.Nodes[0].Program.Suspend();
        Task<string> saying = SayAsync(ann, load.Talkers[1].RoomId, "from the frozen node");
        await Task.Delay(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken); // the length of the freeze is what this tests
        long thawed = Stopwatch.GetTimestamp();
        cluster.Nodes[0].Program.Resume();

        Assert.Equal(CloseReason.NodeFenced, await why.Task.WaitAsync(TestTimeouts.Hang));
        TimeSpan fencedAfter = Stopwatch.GetElapsedTime(thawed);
        string said = await saying.WaitAsync(TestTimeouts.Hang);
        await cluster.Nodes[0].Program.WaitForLineAsync(
            static line => line.Contains("Node 1 has joined the cluster as ", StringComparison.Ordinal)
                && line.EndsWith(", incarnation 4.", StringComparison.Ordinal));
        await load.WaitForAsync(500);
        await load.StopAsync();
        Print($"Its clients were closed {fencedAfter.TotalSeconds:F2} s after it woke up. What a client had said to it was {said}. "
            + $"{Acknowledged(load)} messages acknowledged.");
        load.Verify();
        int heard = load.Talkers[1].Heard.Count(static text => text == "from the frozen node");
        Assert.InRange(heard, said == "acknowledged" ? 1 : 0, 1);
    }

    [Fact(Explicit = true)]
    public async Task Connections_to_the_broker_that_are_closed_8_times_lose_and_double_nothing()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.RabbitMq, 3);
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, Clients, Rooms);
        await load.WaitForAsync(1000);

        for (int i = 0; i < 8; i++)
        {
            await cluster.Broker.CloseConnectionsAsync();
            await load.WaitForAsync(500);
        }

        await load.StopAsync();
        double duplicates = cluster.Nodes.Sum(static node =>
            node.ReadFigures().GetProperty("extras").GetProperty("log_duplicates").GetDouble());
        Print($"{Acknowledged(load)} messages acknowledged; {duplicates} batches were read twice and dropped; the longest wait for an "
            + $"answer was {load.Talkers.Max(static talker => talker.LongestRefusal).TotalSeconds:F2} s.");
        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks));
    }

    [Fact(Explicit = true)]
    public async Task A_node_joins_and_another_one_is_drained_and_no_client_is_refused()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.RabbitMq, 2);
        int third = cluster.ReservePort();
        await using ClusterLoad load = await ClusterLoad.StartAsync(
            [.. cluster.Ports, third], Clients, Rooms, pause: TimeSpan.FromMilliseconds(100)); // rooms keep what is said during a move
        await load.WaitForAsync(1000);

        await cluster.AddAtAsync(third);
        await load.WaitForAsync(500);
        await using (ChatClient dan = await ChatClient.ConnectAsync("127.0.0.1", third))
        {
            await dan.LoginAsync("Dan");
            await dan.JoinRoomAsync(load.Talkers[0].RoomId);
        }

        long began = Stopwatch.GetTimestamp();
        Assert.Equal(0, await cluster.Nodes[0].StopAsync());
        TimeSpan stopped = Stopwatch.GetElapsedTime(began);

        await load.WaitForAsync(500);
        await load.StopAsync();
        ClusterLoad.Talker[] moved = [.. load.Talkers.Where(static talker => !talker.Breaks.IsEmpty)];
        Print($"The node stopped within {stopped.TotalSeconds:F2} s; {moved.Length} clients moved within "
            + $"{moved.Max(static talker => talker.LongestBreak).TotalSeconds:F2} s; {Acknowledged(load)} messages acknowledged.");
        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.All(moved, static talker => Assert.Equal([CloseReason.ServerShutdown], talker.Breaks));
        Assert.All(load.Talkers, static talker => Assert.Equal((0, 0), (talker.Unavailable, talker.Timeouts)));
    }

    /// <summary>Says something once.</summary>
    /// <returns>What became of it.</returns>
    private static async Task<string> SayAsync(ChatClient client, long roomId, string text)
    {
        try
        {
            await client.ChatAsync(roomId, text, client.NewClientMessageId());
            return "acknowledged";
        }
        catch (ChatErrorException e)
        {
            return $"refused ({e.Code})";
        }
    }

    private static int Acknowledged(ClusterLoad load) => load.Acknowledged.Sum(static room => room.Value.Count);

    private static void Print(string figures) => TestContext.Current.TestOutputHelper?.WriteLine(figures);
}
