using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What a server that stops tells its clients about coming back.</summary>
public sealed class StopNoticeTests
{
    [Fact]
    public async Task Each_client_is_asked_to_come_back_after_a_time_of_its_own_within_the_limit()
    {
        await using TestServer server = await TestServer.StartAsync("--Sessions:ReturnWithin=00:00:20");
        TestClient[] clients = await Task.WhenAll(Enumerable.Range(0, 20).Select(number => server.LoginAsync($"kim {number}")));

        Task stopping = server.StopAsync();
        SCloseNtf[] notices = await Task.WhenAll(clients.Select(static client => client.NextAsync<SCloseNtf>()));
        await Task.WhenAll(clients.Select(static client => client.DisposeAsync().AsTask()));
        await stopping;

        Assert.All(notices, static notice => Assert.Equal(CloseCode.ServerShutdown, notice.Reason));
        Assert.All(notices, static notice => Assert.InRange(notice.RetryAfterMs, 1u, 1_000u)); // 50 ms for each
        Assert.InRange(notices.Select(static notice => notice.RetryAfterMs).Distinct().Count(), 10, 20);
    }

    [Fact]
    public async Task With_a_limit_of_0_no_client_is_asked_to_come_back()
    {
        await using TestServer server = await TestServer.StartAsync("--Sessions:ReturnWithin=00:00:00");
        await using TestClient client = await server.LoginAsync("kim");

        Task stopping = server.StopAsync();
        SCloseNtf notice = await client.NextAsync<SCloseNtf>();
        await client.DisposeAsync();
        await stopping;

        Assert.Equal((CloseCode.ServerShutdown, 0u), (notice.Reason, notice.RetryAfterMs));
    }
}
