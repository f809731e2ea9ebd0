using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>On a server of its own, which crashes.</summary>
[Trait("Tier", "Full")]
public sealed class PostgresOutageTests
{
    private const long Room = 7;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    public async Task While_the_database_is_away_calls_fail_clearly_and_after_its_crash_nothing_is_lost()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresServer server = await PostgresServer.StartNewAsync();
        await using var directory = new PostgresDirectory(new PostgresDirectoryOptions
        {
            ConnectionString = server.ConnectionString,
            LeaseDuration = TimeSpan.FromMinutes(10), // longer than the test, however slow the machine
        });
        NodeLease lease = await directory.RegisterAsync(1, "tcp://node1", Stop);
        // Several connections at once, so that the pool holds more than one that breaks.
        await Task.WhenAll(Enumerable.Range(1, 20).Select(user => JoinAsync(directory, user)));

        await server.KillHardAsync();
        ClusterDirectoryException refused = await Assert.ThrowsAsync<ClusterDirectoryException>(() => JoinAsync(directory, 21));
        await server.StartAsync();

        Assert.Contains("127.0.0.1", refused.Message, StringComparison.Ordinal);
        Assert.True(await directory.RenewAsync(Stop));
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(directory, 21));
        Assert.Equal(21, (await directory.GetMembersAsync(Room, Stop)).Count);
        Assert.True((await directory.RegisterAsync(1, "tcp://node1", Stop)).Origin.Incarnation > lease.Origin.Incarnation);
    }

    private static Task<JoinOutcome> JoinAsync(PostgresDirectory directory, long user) =>
        directory.JoinAsync(Room, new ClusterMember(user, user, $"user{user}"), 100, Stop);
}
