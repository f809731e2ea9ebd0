using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Operations;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Server.Tests.Cluster;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations;

public sealed class HealthTests
{
    [Theory]
    [InlineData("chat")]
    [InlineData("echo")]
    public async Task A_started_server_is_live_and_ready_without_a_token(string mode)
    {
        await using TestServer server = await OperationsServer.StartAsync("--mode=" + mode, "--Operations:Token=0123456789abcdef");
        using HttpClient http = server.Http();

        Assert.Equal(HttpStatusCode.OK, (await AskAsync(http, "/healthz/live")).Status);
        Assert.Equal((HttpStatusCode.OK, "The server takes clients.\n"), await AskAsync(http, "/healthz/ready"));
    }

    [Fact]
    public async Task A_server_that_stops_is_live_and_not_ready_until_it_has_stopped()
    {
        var gate = new StopGate();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<IHostedService>(gate),
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");
        using HttpClient http = server.Http();

        Task stopping = server.StopAsync();
        await gate.Reached.Task.WaitAsync(TestTimeouts.Hang);
        HttpStatusCode live = (await AskAsync(http, "/healthz/live")).Status;
        (HttpStatusCode Status, string Text) ready = await AskAsync(http, "/healthz/ready");
        gate.Open.SetResult();
        await stopping;

        Assert.Equal(HttpStatusCode.OK, live);
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The server is stopping.\n"), ready);
    }

    [Fact]
    public async Task Within_the_drain_s_delay_the_server_is_not_ready_and_serves_new_clients()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartUnderAsync(
            time, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", "--Operations:DrainDelay=00:00:05");
        using HttpClient http = server.Http();

        Task stopping = server.StopAsync();
        await Eventually.TrueAsync(() => server.Lifetime.ApplicationStopping.IsCancellationRequested);
        (HttpStatusCode Status, string Text) ready = await AskAsync(http, "/healthz/ready");
        TestClient client = await server.LoginAsync("kim");
        Task<SCloseNtf> closing = client.NextAsync<SCloseNtf>();
        await Eventually.TrueAsync(() =>
        {
            time.Advance(TimeSpan.FromSeconds(1)); // the first time perhaps before the delay has begun
            return closing.IsCompleted;
        });
        SCloseNtf notice = await closing;
        await client.DisposeAsync();
        await stopping;

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The server is stopping.\n"), ready);
        Assert.Equal(CloseCode.ServerShutdown, notice.Reason);
    }

    [Fact]
    public async Task Before_the_host_has_started_the_server_is_not_ready()
    {
        var host = new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance);
        var readiness = new ServerReadiness(host);

        HealthCheckResult starting = await readiness.CheckHealthAsync(new HealthCheckContext());
        host.NotifyStarted();
        HealthCheckResult started = await readiness.CheckHealthAsync(new HealthCheckContext());

        Assert.Equal((HealthStatus.Unhealthy, "The server is starting."), (starting.Status, starting.Description));
        Assert.Equal(HealthStatus.Healthy, started.Status);
    }

    [Fact]
    public async Task Under_Stored_a_server_whose_database_does_not_answer_is_not_ready_until_it_does()
    {
        var time = new ManualTimeProvider();
        time.Advance(TimeSpan.FromHours(1)); // no request waits since the time 0
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services =>
            {
                services.AddSingleton<TimeProvider>(time);
                store.Wrap(services);
            },
            "--ChatLog:Durability=Stored",
            "--ChatLog:FullTimeout=00:00:10",
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");
        using HttpClient http = server.Http();
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "stored?" }, requestId: 101);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        time.Advance(TimeSpan.FromSeconds(11));
        (HttpStatusCode Status, string Text) away = await AskAsync(http, "/healthz/ready");
        back.SetResult();
        await kim.NextAsync<SRoomChatNtf>();
        (HttpStatusCode Status, string Text) returned = await AskAsync(http, "/healthz/ready");

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The database does not answer.\n"), away);
        Assert.Equal(HttpStatusCode.OK, returned.Status);
    }

    [Fact]
    public async Task A_server_whose_logins_fail_on_a_full_disk_is_not_ready_until_one_succeeds_or_half_a_minute_has_passed()
    {
        var time = new ManualTimeProvider();
        time.Advance(TimeSpan.FromHours(1));
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartUnderAsync(
            time, store.Wrap, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        using HttpClient http = server.Http();

        store.Fault = new StorageException(StorageErrorKind.DiskFull, "There is no space left.");
        await FailLoginAsync();
        (HttpStatusCode Status, string Text) full = await AskAsync(http, "/healthz/ready");
        time.Advance(TimeSpan.FromSeconds(30));
        HttpStatusCode later = (await AskAsync(http, "/healthz/ready")).Status;
        await FailLoginAsync();
        HttpStatusCode again = (await AskAsync(http, "/healthz/ready")).Status;
        store.Fault = null;
        await using TestClient kim = await server.LoginAsync("kim");
        HttpStatusCode freed = (await AskAsync(http, "/healthz/ready")).Status;

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The database takes no writes, so logins fail: free its disk.\n"), full);
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.ServiceUnavailable, HttpStatusCode.OK), (later, again, freed));

        async Task FailLoginAsync()
        {
            await using TestClient client = await server.ConnectAsync();
            Assert.Equal(ErrorCode.StorageUnavailable, (await client.FailLoginAsync("kim")).Code);
        }
    }

    [Fact]
    public async Task A_node_that_has_lost_its_place_in_the_cluster_is_not_ready_until_it_has_one_again()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            1, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        using HttpClient http = cluster[0].Http();
        ClusterNode node = cluster[0].Get<ClusterNode>();

        (HttpStatusCode Status, string Text) before = await AskAsync(http, "/healthz/ready");
        await cluster.FenceAsync();
        (HttpStatusCode Status, string Text) fenced = await AskAsync(http, "/healthz/ready");
        cluster.Heal();
        await Eventually.TrueAsync(() => node.Life is not null);
        (HttpStatusCode Status, string Text) after = await AskAsync(http, "/healthz/ready");

        Assert.Equal(HttpStatusCode.OK, before.Status);
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The node has lost its place in the cluster.\n"), fenced);
        Assert.Equal(HttpStatusCode.OK, after.Status);
    }

    private static async Task<(HttpStatusCode Status, string Text)> AskAsync(HttpClient http, string path)
    {
        using HttpResponseMessage response = await http.GetAsync(OperationsServer.Path(path)).WaitAsync(TestTimeouts.Hang);
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    /// <summary>Holds a stop until the test has looked.</summary>
    private sealed class StopGate : IHostedService
    {
        public TaskCompletionSource Reached { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Open { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken)
        {
            Reached.TrySetResult();
            return Open.Task;
        }
    }
}
