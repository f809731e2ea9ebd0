using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>What an operator of one node tells the players of all nodes, which are processes of their own.</summary>
[Trait("Tier", "Full")]
public sealed class NoticeTests
{
    private const string Token = "0123456789abcdef0123";

    [Fact]
    public async Task A_notice_is_heard_once_by_all_players_as_long_as_the_log_answers()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartWithDatabaseAsync(
            ClusterLog.Postgres,
            2,
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0",
            $"--Operations:Token={Token}",
            "--Cluster:AnswerTimeout=00:00:01",
            "--Cluster:Lease=00:10:00"); // no node leaves the cluster meanwhile
        await using Listener ann = await Listener.StartAsync(cluster.Ports[0], "Ann");
        await using Listener bob = await Listener.StartAsync(cluster.Ports[1], "Bob");
        Listener[] all = [ann, bob];
        using var http = new HttpClient { BaseAddress = await cluster.Nodes[0].WaitForOperationsAsync() };
        http.DefaultRequestHeaders.Authorization = new("Bearer", Token);

        Assert.Equal(HttpStatusCode.OK, await TellAsync(http, "first"));
        await Task.WhenAll(all.Select(static listener => listener.WaitForAsync("first")));
        await cluster.Postgres.KillAsync(); // log and directory
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await TellAsync(http, "without the log"));
        await cluster.Postgres.StartAsync();
        await Eventually.GetAsync(() => TellAsync(http, "last"), static code => code == HttpStatusCode.OK);

        await Task.WhenAll(all.Select(static listener => listener.WaitForAsync("last")));
        Assert.All(all, static listener => Assert.Equal(
            listener.Heard.Count, listener.Heard.Distinct(StringComparer.Ordinal).Count()));
    }

    private static async Task<HttpStatusCode> TellAsync(HttpClient http, string message)
    {
        using HttpResponseMessage answer = await http.PostAsJsonAsync("api/v1/notice", new { message }).WaitAsync(TestTimeouts.Hang);
        return answer.StatusCode;
    }

    /// <summary>A player that keeps the notices that it hears.</summary>
    private sealed class Listener : IAsyncDisposable
    {
        private readonly ChatClient _client;

        private Listener(ChatClient client)
        {
            _client = client;
            client.ServerNotice += (_, notice) => Heard.Enqueue(notice.Message);
        }

        public ConcurrentQueue<string> Heard { get; } = [];

        public static async Task<Listener> StartAsync(int port, string name)
        {
            var listener = new Listener(await ChatClient.ConnectAsync("127.0.0.1", port));
            await listener._client.LoginAsync(name);
            return listener;
        }

        public Task WaitForAsync(string notice) => Eventually.TrueAsync(() => Heard.Contains(notice, StringComparer.Ordinal));

        public ValueTask DisposeAsync() => _client.DisposeAsync();
    }
}
