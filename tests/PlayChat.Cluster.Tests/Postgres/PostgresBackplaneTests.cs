using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, or on one of the test's own that is killed.</summary>
public sealed class PostgresBackplaneTests
{
    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Three_nodes_read_the_records_of_all_in_one_order()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        RoomBackplane[] nodes = [.. Enumerable.Range(1, 3).Select(id => Open(space.ConnectionString, id))];
        ShardRecorder[] readers = await nodes.ReadAsync(1);

        await Task.WhenAll(nodes.Select(node => Task.Run(() => node.PublishAsync(1, 500))));

        await readers.AssertCompleteAsync(nodes: 3, each: 500);
        Assert.Equal( // dense, greetings included
            await space.ExecuteAsync("SELECT seq FROM pc_shard WHERE id = 1"),
            await space.ExecuteAsync("SELECT count(*) FROM pc_log WHERE shard = 1"));
        await nodes.DisposeAllAsync();
    }

    [Fact]
    public async Task A_subscription_continues_behind_a_position_and_tells_of_trimmed_records()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        await using PostgresBackplane node = Open(space.ConnectionString, 1);
        var all = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, all, Stop);
        for (ulong token = 1; token <= 10; token++)
        {
            await node.PublishAsync(0, 1, token);
            await all.WaitAsync((int)token);
        }

        LogPosition fifth = all.Records[4].Position;
        var rest = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.After(fifth), rest, Stop);
        await space.ExecuteAsync($"DELETE FROM pc_log WHERE shard = 0 AND seq <= {all.Records[6].Position.Offset}");
        var late = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.After(fifth), late, Stop);
        var earliest = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Earliest, earliest, Stop);

        Assert.Equal([6, 7, 8, 9, 10], rest.Records.Select(static record => (int)record.Token));
        Assert.Empty(rest.Gaps);
        Assert.Equal([8, 9, 10], late.Records.Select(static record => (int)record.Token));
        Assert.Equal([GapReason.Trimmed], late.Reasons);
        Assert.Equal([8, 9, 10], earliest.Records.Select(static record => (int)record.Token));
    }

    [Fact]
    public async Task Missing_batches_are_noticed_with_the_next_one_of_whichever_node()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        await using PostgresBackplane reading = Open(space.ConnectionString, 1);
        await using PostgresBackplane writing = Open(space.ConnectionString, 2, incarnation: 2);
        var list = new ShardRecorder();
        await reading.SubscribeAsync(0, SubscribeFrom.Tail, list, Stop);
        await reading.PublishAsync(0, 1);
        await list.WaitAsync(1);

        await space.ExecuteAsync("UPDATE pc_shard SET seq = seq + 3 WHERE id = 0"); // three batches that the reader never gets
        await writing.PublishAsync(0, 1, first: 2);
        await list.WaitAsync(2);

        Assert.Equal([GapReason.Skipped], list.Reasons);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_log_that_was_made_anew_has_a_new_epoch()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        LogPosition old;
        await using (PostgresBackplane first = Open(space.ConnectionString, 1))
        {
            var list = new ShardRecorder();
            await first.SubscribeAsync(0, SubscribeFrom.Tail, list, Stop);
            await first.PublishAsync(0, 1);
            await list.WaitAsync(1);
            old = list.Records[0].Position;
        }

        // As after a restore of a backup: the end of the log is gone.
        await space.ExecuteAsync("DELETE FROM pc_log; UPDATE pc_shard SET seq = 0");
        await using PostgresBackplane second = Open(space.ConnectionString, 1, incarnation: 2);
        var later = new ShardRecorder();
        await second.SubscribeAsync(0, SubscribeFrom.After(old), later, Stop);

        Assert.Equal([GapReason.NewEpoch], later.Reasons);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Broken_connections_under_load_lose_and_double_nothing()
    {
        await using PostgresSpace space = await CreateSpaceAsync();
        RoomBackplane[] nodes = [Open(space.ConnectionString, 1), Open(space.ConnectionString, 2)];
        ShardRecorder[] readers = await nodes.ReadAsync(0);

        Task load = Task.WhenAll(nodes.Select(node => Task.Run(() => node.PublishAsync(0, 4000))));
        for (int time = 1; time <= 8; time++)
        {
            await readers[0].WaitAsync(time * 800);
            await space.ExecuteAsync(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    + $"WHERE application_name = '{space.Name}' AND pid <> pg_backend_pid()");
        }

        await load;
        await readers.AssertCompleteAsync(nodes: 2, each: 4000);
        await nodes.DisposeAllAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_killed_database_under_load_loses_and_doubles_nothing_and_is_told_as_degraded()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresServer server = await PostgresServer.StartNewAsync();
        RoomBackplane[] nodes = [Open(server.ConnectionString, 1), Open(server.ConnectionString, 2)];
        ShardRecorder[] readers = await nodes.ReadAsync(0);
        Task degraded = nodes[0].WaitForAsync(BackplaneState.Degraded);

        Task load = Task.WhenAll(nodes.Select(node => Task.Run(() => node.PublishAsync(0, 5000))));
        await readers[0].WaitAsync(1000);
        await server.KillHardAsync();
        await degraded;
        Assert.Equal(PublishResult.Unavailable, nodes[0].Publish(0, LogLoad.Record(1)));
        await server.StartAsync();
        await load;

        await readers.AssertCompleteAsync(nodes: 2, each: 5000);
        await nodes.DisposeAllAsync();
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
}
