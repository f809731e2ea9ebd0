using System.Globalization;
using Npgsql;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>Logs in a schema of the test's own. A lock on their tables takes them away.</summary>
internal sealed class PostgresLogSpace(PostgresSpace space) : BackplaneSpace
{
    private NpgsqlConnection? _lock;

    public override int Readers => 1;

    public static async Task<BackplaneSpace> CreateAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        return new PostgresLogSpace(await PostgresSpace.CreateAsync());
    }

    public override RoomBackplane Open(RecordOrigin origin, BackplaneOptions options) => new PostgresBackplane(
        new PostgresBackplaneOptions { ConnectionString = space.ConnectionString, ShardCount = Shards, Limits = options }, origin);

    public override IClusterDirectory CreateDirectory(TimeSpan lease) =>
        new PostgresDirectory(new PostgresDirectoryOptions { ConnectionString = space.ConnectionString, LeaseDuration = lease });

    public override async Task<uint> GetEpochAsync() =>
        Convert.ToUInt32(await space.ExecuteAsync("SELECT epoch FROM pc_shard WHERE id = 0"), CultureInfo.InvariantCulture);

    // With number 0 beside it: the table itself refuses a number twice, and here the readers are tested.
    public override Task AppendAsync(byte[] batch) => space.ExecuteAsync(
        $"""
        WITH s AS (UPDATE pc_shard SET seq = seq + 1 WHERE id = 0 RETURNING seq)
        INSERT INTO pc_log (shard, seq, origin, incarnation, batch, body) SELECT 0, seq, 99, 1, 0, '\x{Convert.ToHexString(batch)}' FROM s;
        NOTIFY pc_shard
        """);

    public override Task TrimAsync() => space.ExecuteAsync("DELETE FROM pc_log WHERE shard = 0");

    public override async Task ReplaceAsync()
    {
        await space.ExecuteAsync("DELETE FROM pc_log; UPDATE pc_shard SET seq = 0");
        await space.ExecuteAsync(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                + $"WHERE application_name = '{space.Name}' AND pid <> pg_backend_pid()");
    }

    public override async Task SuspendAsync()
    {
        _lock = new NpgsqlConnection(space.ConnectionString + ";Application Name=lock;Pooling=false");
        await _lock.OpenAsync();
        await using var command = new NpgsqlCommand("BEGIN; LOCK TABLE pc_shard, pc_log IN ACCESS EXCLUSIVE MODE", _lock);
        await command.ExecuteNonQueryAsync();
    }

    public override async Task ResumeAsync()
    {
        await _lock!.DisposeAsync();
        _lock = null;
    }

    public override async ValueTask DisposeAsync()
    {
        if (_lock is not null)
        {
            await ResumeAsync();
        }

        await base.DisposeAsync();
        await space.DisposeAsync();
    }
}
