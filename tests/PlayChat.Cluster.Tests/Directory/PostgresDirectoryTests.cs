using Microsoft.Extensions.Logging;
using Npgsql;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, each test in a schema of its own.</summary>
[Trait("Tier", "Full")]
public sealed class PostgresDirectoryTests : DirectoryContract
{
    private PostgresSpace? _space;

    private PostgresSpace Space => _space ?? throw new InvalidOperationException("There is no database yet.");

    public override async ValueTask InitializeAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        _space = await PostgresSpace.CreateAsync();
        await base.InitializeAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (_space is not null)
        {
            await _space.DisposeAsync();
        }
    }

    [Fact]
    public async Task Nodes_that_start_at_once_make_the_tables_once()
    {
        IClusterDirectory[] nodes = [.. Enumerable.Range(0, 5).Select(_ => Create())];

        await Task.WhenAll(nodes.Select(static (node, i) => node.RegisterAsync(i + 1, $"tcp://node{i}")));

        Assert.Equal(5, (await nodes[0].GetNodesAsync(TestContext.Current.CancellationToken)).Count);
        Assert.Equal(1L, await Space.ExecuteAsync("SELECT count(*) FROM pc_cluster_version"));
        foreach (IClusterDirectory node in nodes)
        {
            await node.DisposeAsync();
        }
    }

    [Fact]
    public async Task Tables_of_a_newer_version_are_refused()
    {
        await using IClusterDirectory directory = Create();
        await directory.GetNodesAsync(TestContext.Current.CancellationToken);
        await Space.ExecuteAsync("UPDATE pc_cluster_version SET version = version + 1");

        await using IClusterDirectory other = Create();
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(
            () => other.GetNodesAsync(TestContext.Current.CancellationToken));

        Assert.Contains("newer program", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_database_whose_encoding_does_not_take_every_name_is_refused()
    {
        string name = $"latin_{Guid.NewGuid():N}";
        await Space.ExecuteAsync($"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        try
        {
            var settings = new NpgsqlConnectionStringBuilder(Space.ConnectionString)
            {
                Database = name,
                SearchPath = null,
                Pooling = false,
            };
            await using var directory = new PostgresDirectory(
                new PostgresDirectoryOptions { ConnectionString = settings.ConnectionString });

            InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(
                () => directory.GetNodesAsync(TestContext.Current.CancellationToken));

            Assert.Contains("has the encoding LATIN1", refused.Message, StringComparison.Ordinal);
        }
        finally
        {
            await Space.ExecuteAsync($"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    [Theory]
    [InlineData(10, 2)]
    [InlineData(2, 10)] // in minutes
    public async Task A_node_keeps_its_id_for_half_of_its_own_lease_whatever_lease_another_start_has(int own, int another)
    {
        CancellationToken stop = TestContext.Current.CancellationToken;
        await using PostgresDirectory holder = Create(log: null, TimeSpan.FromMinutes(own));
        await using PostgresDirectory other = Create(log: null, TimeSpan.FromMinutes(another));
        NodeLease lease = await holder.RegisterAsync(1, "tcp://node1", stop);

        NodeIdInUseException held = await Assert.ThrowsAsync<NodeIdInUseException>(() => other.RegisterAsync(1, "tcp://node1", stop));
        Assert.Equal(lease.Origin, held.Holder.Origin);
        Assert.InRange(held.FreeAfter, TimeSpan.FromMinutes(own / 4.0), TimeSpan.FromMinutes(own / 2.0));
        Assert.True(await holder.RenewAsync(stop));

        string half = $"interval '{own / 2} minutes'"; // as if so much time had passed
        await Space.ExecuteAsync($"UPDATE pc_node SET lease_until = lease_until - {half}, renewed_at = renewed_at - {half}");
        Assert.True((await other.RegisterAsync(1, "tcp://node1", stop)).Origin.Incarnation > lease.Origin.Incarnation);
    }

    [Fact]
    public async Task A_registration_whose_answer_was_lost_is_repeated()
    {
        CancellationToken stop = TestContext.Current.CancellationToken;
        await using IClusterDirectory directory = Create();
        await directory.RegisterAsync(1, "tcp://node1", stop);
        object? lost = await Space.ExecuteAsync("UPDATE pc_node SET incarnation = nextval('pc_incarnation') RETURNING incarnation");

        NodeLease lease = await directory.RegisterAsync(1, "tcp://node1", stop);

        Assert.True(lease.Origin.Incarnation > (long)lost!);
        Assert.True(await directory.RenewAsync(stop));
    }

    [Fact]
    public async Task A_sweep_that_had_begun_when_the_database_stood_still_declares_no_node_lost()
    {
        await using IClusterDirectory late = Create();
        await using IClusterDirectory sweeper = Create();
        CancellationToken stop = TestContext.Current.CancellationToken;
        var lateNode = new DirectoryNode(late, await late.RegisterAsync(1, "tcp://node1", stop));
        var sweepingNode = new DirectoryNode(sweeper, await sweeper.RegisterAsync(2, "tcp://node2", stop));
        await PassLeaseAsync(sweepingNode);
        await using var database = NpgsqlDataSource.Create(Space.ConnectionString);
        await using NpgsqlConnection connection = await database.OpenConnectionAsync(stop);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(stop);
        await using var hold = new NpgsqlCommand("LOCK TABLE pc_lost IN EXCLUSIVE MODE", connection);
        await hold.ExecuteNonQueryAsync(stop); // the sweep finds the expired node, and cannot write

        Task<IReadOnlyList<LostNode>> sweeping = sweeper.SweepAsync(stop);
        await Eventually.GetAsync(
            () => Space.ExecuteAsync("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'pc_lost'::regclass"),
            static waiting => waiting is 1L);
        await Space.ExecuteAsync("UPDATE pc_node SET lease_until = lease_until - interval '6 minutes'"); // as if so much time had passed
        await transaction.CommitAsync(stop);

        Assert.Empty(await sweeping);
        Assert.True(await late.RenewAsync(stop));
        Assert.Equal([lateNode.Origin], (await late.GetNodesAsync(stop)).Select(static node => node.Origin).Take(1));
    }

    [Fact]
    public async Task After_the_clock_went_back_by_an_hour_a_node_that_has_ended_is_lost_after_one_lease()
    {
        CancellationToken stop = TestContext.Current.CancellationToken;
        var log = new RecordingLogger();
        await using IClusterDirectory dead = Create();
        await using IClusterDirectory left = Create();
        await using PostgresDirectory live = Create(log);
        await using IClusterDirectory again = Create();
        RecordOrigin deadOrigin = (await dead.RegisterAsync(1, "tcp://node1", stop)).Origin;
        RecordOrigin leftOrigin = (await left.RegisterAsync(2, "tcp://node2", stop)).Origin;
        var liveNode = new DirectoryNode(live, await live.RegisterAsync(3, "tcp://node3", stop));
        await live.AcquireRoomAsync(1, hasState: false, stop);
        await live.ReleaseRoomAsync(1, isOver: false, stop);
        await left.UnregisterAsync(stop);
        await PassLeaseAsync(liveNode); // it has held its lease long enough to declare others lost

        await Space.ExecuteAsync(
            "UPDATE pc_node SET lease_until = lease_until + interval '1 hour', renewed_at = renewed_at + interval '1 hour', "
                + "held_since = held_since + interval '1 hour' + interval '10 minutes'; "
                + "UPDATE pc_node SET lease_until = lease_until + interval '10 minutes', renewed_at = renewed_at + interval '10 minutes' "
                + $"WHERE node_id = {deadOrigin.NodeId}; "
                + "UPDATE pc_lost SET retry_at = retry_at + interval '2 hours'; "
                + "UPDATE pc_room_owner SET orphan_until = orphan_until + interval '2 hours'");
        Assert.True(await live.RenewAsync(stop)); // before any sweep
        Assert.Empty(await live.SweepAsync(stop));
        NodeIdInUseException held = await Assert.ThrowsAsync<NodeIdInUseException>(() => again.RegisterAsync(1, "tcp://node1", stop));
        Assert.InRange(held.FreeAfter, TimeSpan.Zero, TimeSpan.FromMinutes(5));
        await PassLeaseAsync(liveNode);

        Assert.Equal([deadOrigin, leftOrigin], (await live.SweepAsync(stop)).Select(static lost => lost.Node));
        Assert.Equal(liveNode.Origin, await live.AcquireRoomAsync(1, hasState: false, stop));
        Assert.Equal(1, log.Count("ClockWentBack"));
    }

    [Fact]
    public async Task Orphaned_rooms_that_no_node_asks_for_leave_no_rows()
    {
        await using IClusterDirectory directory = Create();
        CancellationToken stop = TestContext.Current.CancellationToken;
        var node = new DirectoryNode(directory, await directory.RegisterAsync(1, "tcp://node1", stop));
        for (long room = 1; room <= 3; room++)
        {
            await directory.AcquireRoomAsync(room, hasState: false, stop);
        }

        await directory.ReleaseRoomAsync(1, isOver: true, stop);
        await directory.ReleaseRoomAsync(2, isOver: false, stop);
        await directory.SweepAsync(stop);
        object? waiting = await Space.ExecuteAsync("SELECT count(*) FROM pc_room_owner");
        await PassLeaseAsync(node);
        await directory.SweepAsync(stop);

        Assert.Equal(2L, waiting); // the orphaned one and the owned one
        Assert.Equal(3L, await Space.ExecuteAsync("SELECT max(room_id) FROM pc_room_owner HAVING count(*) = 1"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("no connection string")]
    [InlineData("Database=playchat")]
    public void An_invalid_connection_string_is_refused(string text) =>
        Assert.Throws<ArgumentException>(() => new PostgresDirectory(new PostgresDirectoryOptions { ConnectionString = text }));

    // The lease is so long that it does not end while a test runs, however slow the machine is: only PassLeaseAsync ends it.
    protected override IClusterDirectory Create() => Create(log: null);

    private PostgresDirectory Create(ILoggerFactory? log, TimeSpan? lease = null) => new(
        new PostgresDirectoryOptions
        {
            ConnectionString = Space.ConnectionString,
            LeaseDuration = lease ?? TimeSpan.FromMinutes(10),
            Version = Version,
        },
        log);

    // A test cannot set the database's clock, so it sets the times in the tables. The survivors renewed four minutes ago, and renew now.
    protected override async Task PassLeaseAsync(params DirectoryNode[] survivors)
    {
        string living = string.Join(',', survivors.Select(static node => node.Origin.Incarnation).Append(0));
        await Space.ExecuteAsync(
            "UPDATE pc_node SET lease_until = lease_until - interval '10 minutes', renewed_at = renewed_at - interval '10 minutes', "
                + "held_since = held_since - interval '10 minutes'; "
                + "UPDATE pc_node SET lease_until = lease_until + interval '6 minutes', renewed_at = renewed_at + interval '6 minutes' "
                + $"WHERE incarnation IN ({living}); "
                + "UPDATE pc_lost SET retry_at = retry_at - interval '10 minutes'; "
                + "UPDATE pc_room_owner SET orphan_until = orphan_until - interval '10 minutes'");
        await RenewAsync(survivors);
    }

    protected override async Task PassHalfLeaseAsync(params DirectoryNode[] survivors)
    {
        await Space.ExecuteAsync(
            "UPDATE pc_node SET lease_until = lease_until - interval '5 minutes', renewed_at = renewed_at - interval '5 minutes', "
                + "held_since = held_since - interval '5 minutes'; "
                + "UPDATE pc_lost SET retry_at = retry_at - interval '5 minutes'; "
                + "UPDATE pc_room_owner SET orphan_until = orphan_until - interval '5 minutes'");
        await RenewAsync(survivors);
    }

    private static async Task RenewAsync(DirectoryNode[] survivors)
    {
        foreach (DirectoryNode node in survivors)
        {
            Assert.True(await node.Directory.RenewAsync(TestContext.Current.CancellationToken));
        }
    }
}
