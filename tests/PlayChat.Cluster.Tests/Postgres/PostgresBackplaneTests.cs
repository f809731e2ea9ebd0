using System.Text;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, or on one of the test's own that is killed.</summary>
public sealed class PostgresBackplaneTests
{
    private static readonly byte[] s_body = Encoding.UTF8.GetBytes("hello");

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Three_nodes_read_the_records_of_all_in_one_order()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        List<PostgresBackplane> nodes = [];
        List<RecordList> lists = [];
        for (int id = 1; id <= 3; id++)
        {
            nodes.Add(Open(space.ConnectionString, id));
            lists.Add(new RecordList());
            await nodes[^1].SubscribeAsync(1, SubscribeFrom.Tail, lists[^1], Stop);
        }

        await Task.WhenAll(nodes.Select(node => Task.Run(() => PublishAsync(node, 1, 500))));
        await Task.WhenAll(lists.Select(static list => list.WaitAsync(1500)));

        Assert.Equal(lists[0].Records, lists[1].Records);
        Assert.Equal(lists[0].Records, lists[2].Records);
        Assert.All(Enumerable.Range(1, 3), node => Assert.Equal(
            Enumerable.Range(1, 500).Select(static token => (ulong)token),
            lists[0].Records.Where(record => record.NodeId == node).Select(static record => record.Token)));
        Assert.True(lists[0].Records.Zip(lists[0].Records.Skip(1)).All(static pair => pair.First.Position < pair.Second.Position));
        Assert.All(lists, static list => Assert.Empty(list.Gaps));
        Assert.Equal( // dense, greetings included
            await space.ExecuteAsync("SELECT seq FROM pc_shard WHERE id = 1"),
            await space.ExecuteAsync("SELECT count(*) FROM pc_log WHERE shard = 1"));
        await DisposeAsync(nodes);
    }

    [Fact]
    public async Task A_subscription_continues_behind_a_position_and_tells_of_trimmed_records()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        await using PostgresBackplane node = Open(space.ConnectionString, 1);
        var all = new RecordList();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, all, Stop);
        for (ulong token = 1; token <= 10; token++)
        {
            await PublishAsync(node, 0, 1, token);
            await all.WaitAsync((int)token);
        }

        LogPosition fifth = all.Records.ElementAt(4).Position;
        var rest = new RecordList();
        await node.SubscribeAsync(0, SubscribeFrom.After(fifth), rest, Stop);
        await space.ExecuteAsync($"DELETE FROM pc_log WHERE shard = 0 AND seq <= {all.Records.ElementAt(6).Position.Offset}");
        var late = new RecordList();
        await node.SubscribeAsync(0, SubscribeFrom.After(fifth), late, Stop);
        var earliest = new RecordList();
        await node.SubscribeAsync(0, SubscribeFrom.Earliest, earliest, Stop);

        Assert.Equal([6, 7, 8, 9, 10], rest.Records.Select(static record => (int)record.Token));
        Assert.Empty(rest.Gaps);
        Assert.Equal([8, 9, 10], late.Records.Select(static record => (int)record.Token));
        Assert.Equal([GapReason.Trimmed], late.Gaps);
        Assert.Equal([8, 9, 10], earliest.Records.Select(static record => (int)record.Token));
    }

    [Fact]
    public async Task Missing_batches_are_noticed_with_the_next_one_of_whichever_node()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        await using PostgresBackplane reading = Open(space.ConnectionString, 1);
        await using PostgresBackplane writing = Open(space.ConnectionString, 2, incarnation: 2);
        var list = new RecordList();
        await reading.SubscribeAsync(0, SubscribeFrom.Tail, list, Stop);
        await PublishAsync(reading, 0, 1);
        await list.WaitAsync(1);

        await space.ExecuteAsync("UPDATE pc_shard SET seq = seq + 3 WHERE id = 0"); // three batches that the reader never gets
        await PublishAsync(writing, 0, 1, first: 2);
        await list.WaitAsync(2);

        Assert.Equal([GapReason.Skipped], list.Gaps);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_log_that_was_made_anew_has_a_new_epoch()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        LogPosition old;
        await using (PostgresBackplane first = Open(space.ConnectionString, 1))
        {
            var list = new RecordList();
            await first.SubscribeAsync(0, SubscribeFrom.Tail, list, Stop);
            await PublishAsync(first, 0, 1);
            await list.WaitAsync(1);
            old = list.Records.First().Position;
        }

        // As after a restore of a backup: the end of the log is gone.
        await space.ExecuteAsync("DELETE FROM pc_log; UPDATE pc_shard SET seq = 0");
        await using PostgresBackplane second = Open(space.ConnectionString, 1, incarnation: 2);
        var later = new RecordList();
        await second.SubscribeAsync(0, SubscribeFrom.After(old), later, Stop);

        Assert.Equal([GapReason.NewEpoch], later.Gaps);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Broken_connections_under_load_lose_and_double_nothing()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        PostgresBackplane[] nodes = [Open(space.ConnectionString, 1), Open(space.ConnectionString, 2)];
        RecordList[] lists = [new(), new()];
        await nodes[0].SubscribeAsync(0, SubscribeFrom.Tail, lists[0], Stop);
        await nodes[1].SubscribeAsync(0, SubscribeFrom.Tail, lists[1], Stop);

        Task load = Task.WhenAll(nodes.Select(node => Task.Run(() => PublishAsync(node, 0, 4000))));
        for (int time = 1; time <= 8; time++)
        {
            await lists[0].WaitAsync(time * 800);
            await space.ExecuteAsync(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    + $"WHERE application_name = '{space.Name}' AND pid <> pg_backend_pid()");
        }

        await load;
        await Task.WhenAll(lists.Select(static list => list.WaitAsync(8000)));
        AssertComplete(lists[0], 4000);
        Assert.Equal(lists[0].Records, lists[1].Records);
        await DisposeAsync(nodes);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_killed_database_under_load_loses_and_doubles_nothing_and_is_told_as_degraded()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresServer server = await PostgresServer.StartNewAsync();
        PostgresBackplane[] nodes = [Open(server.ConnectionString, 1), Open(server.ConnectionString, 2)];
        RecordList[] lists = [new(), new()];
        await nodes[0].SubscribeAsync(0, SubscribeFrom.Tail, lists[0], Stop);
        await nodes[1].SubscribeAsync(0, SubscribeFrom.Tail, lists[1], Stop);
        var degraded = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        nodes[0].StateChanged += state =>
        {
            if (state == BackplaneState.Degraded)
            {
                degraded.TrySetResult();
            }
        };

        Task load = Task.WhenAll(nodes.Select(node => Task.Run(() => PublishAsync(node, 0, 5000))));
        await lists[0].WaitAsync(1000);
        await server.KillHardAsync();
        await degraded.Task.WaitAsync(TestTimeouts.Hang, Stop);
        Assert.Equal(PublishResult.Unavailable, nodes[0].Publish(0, new RoomRecord { Kind = 1, Body = s_body }));
        await server.StartAsync();
        await load;

        await Task.WhenAll(lists.Select(static list => list.WaitAsync(10_000)));
        AssertComplete(lists[0], 5000);
        Assert.Equal(lists[0].Records, lists[1].Records);
        await DisposeAsync(nodes);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Another_number_of_shards_is_refused()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        await using PostgresBackplane first = Open(space.ConnectionString, 1);
        await Eventually.TrueAsync(() => first.State == BackplaneState.Up);
        var log = new RecordingLogger();

        await using var second = new PostgresBackplane(
            new PostgresBackplaneOptions { ConnectionString = space.ConnectionString, ShardCount = 1 }, new RecordOrigin(2, 2), log);

        await Eventually.TrueAsync(
            () => log.Entries.Any(static entry => entry.Text.Contains("same number on every node", StringComparison.Ordinal)));
        Assert.Equal(BackplaneState.Down, second.State);
    }

    private static async Task<PostgresSpace> CreateSpaceAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        return await PostgresSpace.CreateAsync();
    }

    private static PostgresBackplane Open(string connectionString, int nodeId, long incarnation = 1) => new(
        new PostgresBackplaneOptions
        {
            ConnectionString = connectionString,
            ShardCount = 2,
            Limits = new BackplaneOptions { PendingTimeout = TimeSpan.FromSeconds(1) },
        },
        new RecordOrigin(nodeId, incarnation));

    // What is refused is tried again, as a client would.
    private static async Task PublishAsync(PostgresBackplane node, int shard, int count, ulong first = 1)
    {
        for (ulong token = first; token < first + (ulong)count; token++)
        {
            var record = new RoomRecord { Kind = 1, RoomId = 1, UserId = 1, Token = token, Body = s_body };
            while (node.Publish(shard, in record) != PublishResult.Accepted)
            {
                await Task.Yield();
            }

            if (token % 10 == 0)
            {
                await Task.Yield();
            }
        }
    }

    private static void AssertComplete(RecordList list, int each) =>
        Assert.All(Enumerable.Range(1, 2), node => Assert.Equal(
            Enumerable.Range(1, each).Select(static token => (ulong)token),
            list.Records.Where(record => record.NodeId == node).Select(static record => record.Token)));

    private static async Task DisposeAsync(IEnumerable<PostgresBackplane> nodes)
    {
        foreach (PostgresBackplane node in nodes)
        {
            await node.DisposeAsync();
        }
    }
}
