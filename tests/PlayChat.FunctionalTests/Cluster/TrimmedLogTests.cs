using System.Net;
using Npgsql;
using PlayChat.Core.Clients;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>A client comes back to a node that cannot know what it has missed, because the log was trimmed.</summary>
[Trait("Tier", "Full")]
public sealed class TrimmedLogTests
{
    private const int Missed = 50;

    [Fact]
    public async Task A_client_that_was_away_longer_than_the_log_reaches_back_is_told_and_the_history_has_the_rest()
    {
        // The killed node counts as a member's place for as long as the test runs.
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2, "--Cluster:Lease=00:10:00");
        int later = cluster.ReservePort();
        await using ChatClient ann = await ChatClient.ConnectAsync(
            [Loopback(cluster.Nodes[0].Port), Loopback(later)],
            new ChatClientOptions
            {
                ReconnectDelay = TimeSpan.FromMilliseconds(50),
                MaxReconnectDelay = TimeSpan.FromMilliseconds(500),
                ReconnectTimeout = TestTimeouts.Hang,
            });
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", cluster.Nodes[1].Port);
        await ann.LoginAsync("Ann");
        await bob.LoginAsync("Bob");
        long room = (await bob.CreateRoomAsync("lobby")).RoomId;
        await ann.JoinRoomAsync(room);
        var back = new TaskCompletionSource<ReconnectedEventArgs>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Reconnected += (_, recovery) => back.TrySetResult(recovery);

        cluster.Nodes[0].Program.Kill();
        string[] texts = [.. Enumerable.Range(1, Missed).Select(static i => $"missed {i}")];
        foreach (string text in texts)
        {
            await bob.ChatAsync(room, text);
        }

        await using (IChatStore store = await cluster.OpenStoreAsync())
        {
            await Eventually.GetAsync(
                () => store.ReadChatBeforeAsync(room, long.MaxValue, IChatStore.MaxReadLimit),
                static stored => stored.Any(static record => record.Text == $"missed {Missed}"));
        }

        await TrimLogAsync(cluster.ConnectionString);

        await cluster.AddAtAsync(later, "--Cluster:Lease=00:10:00");

        RoomRecovery recovery = Assert.Single((await back.Task.WaitAsync(TestTimeouts.Hang)).Rooms);
        Assert.Equal((true, false), (recovery.IsMember, recovery.IsRecovered));
        SRoomHistoryRes page = await ann.ReadHistoryAfterAsync(room, recovery.LastSequence);
        Assert.Equal(
            string.Join('\n', texts),
            string.Join('\n', page.Messages.Where(static message => !message.System).Select(static message => message.Text)));
        Assert.Empty(page.Gaps);
        var heard = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.ChatReceived += (_, chat) => heard.TrySetResult(chat.Message.Text);
        await bob.ChatAsync(room, "live again");
        Assert.Equal("live again", await heard.Task.WaitAsync(TestTimeouts.Hang));
    }

    private static IPEndPoint Loopback(int port) => new(IPAddress.Loopback, port);

    /// <summary>Deletes everything in the log, as its retention does with what is old.</summary>
    private static async Task TrimLogAsync(string connectionString)
    {
        await using var database = NpgsqlDataSource.Create(connectionString);
        await using NpgsqlCommand trim = database.CreateCommand("delete from pc_log");
        Assert.True(await trim.ExecuteNonQueryAsync(TestContext.Current.CancellationToken) >= Missed);
    }
}
