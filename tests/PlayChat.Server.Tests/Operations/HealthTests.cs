using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
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
        time.Advance(TimeSpan.FromSeconds(5));
        SCloseNtf notice = await client.NextAsync<SCloseNtf>();
        await client.DisposeAsync();
        await stopping;

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "The server is stopping.\n"), ready);
        Assert.Equal(CloseCode.ServerShutdown, notice.Reason);
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
