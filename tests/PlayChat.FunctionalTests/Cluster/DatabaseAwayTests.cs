using System.Globalization;
using System.Text.Json;
using PlayChat.Protocol;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>The database is away for longer than a lease, and a broker keeps the log.</summary>
[Trait("Tier", "Full")]
public sealed class DatabaseAwayTests
{
    [Fact]
    public Task Without_the_database_no_player_enters_and_the_chat_continues_and_is_stored_afterwards() =>
        RunAsync(TimeSpan.FromSeconds(5), "--Cluster:Lease=00:00:03");

    /// <summary>With the default lease of 10 seconds. Explicit: takes a minute.</summary>
    [Fact(Explicit = true)]
    public Task Without_the_database_for_30_seconds_no_player_enters_and_the_chat_continues_and_is_stored_afterwards() =>
        RunAsync(TimeSpan.FromSeconds(30));

    private static async Task RunAsync(TimeSpan away, params string[] options)
    {
        await using ProcessCluster cluster = await ProcessCluster.StartWithDatabaseAsync(ClusterLog.RabbitMq, 2, options);
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 9, rooms: 3);
        await using ChatClient cho = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[0].Port);
        await cho.LoginAsync("Cho");
        await load.WaitForAsync(100);
        long room = load.Acknowledged.Keys.First();

        await cluster.Postgres.KillAsync();
        await load.WaitForAsync(100);
        Assert.Equal(ErrorCode.StorageUnavailable, await FailAsync(() => cho.JoinRoomAsync(room)));
        Assert.Equal(ErrorCode.StorageUnavailable, await FailAsync(() => LoginAsync(cluster.Nodes[1])));
        await Task.WhenAll(cluster.Nodes.Select(node => node.WaitForFiguresAsync(figures => LeaseAge(figures) >= away)));
        await load.WaitForAsync(100);
        await cluster.Postgres.StartAsync();

        await Eventually.GetAsync(() => FailAsync(() => LoginAsync(cluster.Nodes[1])), static code => code == ErrorCode.None);
        await Eventually.GetAsync(() => FailAsync(() => cho.JoinRoomAsync(room)), static code => code == ErrorCode.None);
        await load.WaitForAsync(100);
        await Task.WhenAll(cluster.Nodes.Select(static node => node.WaitForFiguresAsync(
            static figures => LeaseAge(figures) < TimeSpan.FromSeconds(3))));
        await load.StopAsync();
        load.Verify();
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks)); // no node has left the cluster
        Assert.All(load.Talkers, static talker => Assert.Equal((0, 0), (talker.Unavailable, talker.Timeouts)));
        await load.VerifyStoredAsync(cluster);
    }

    private static TimeSpan LeaseAge(JsonElement figures) =>
        figures.GetProperty("extras").TryGetProperty("lease_age_ms", out JsonElement age) && age.ValueKind == JsonValueKind.Number
            ? TimeSpan.FromMilliseconds(age.GetDouble())
            : TimeSpan.Zero;

    private static async Task LoginAsync(ServerProcess node)
    {
        await using ChatClient client = await ChatClient.ConnectAsync("127.0.0.1", node.Port);
        await client.LoginAsync("Dan");
    }

    /// <summary>Asks for something.</summary>
    /// <returns>The error; <see cref="ErrorCode.None"/> if there is none.</returns>
    private static async Task<ErrorCode> FailAsync(Func<Task> ask)
    {
        try
        {
            await ask().WaitAsync(TestTimeouts.Hang);
            return ErrorCode.None;
        }
        catch (ChatErrorException e)
        {
            return e.Code;
        }
    }
}
