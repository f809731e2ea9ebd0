using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Chat;

public sealed class DeadlineTests
{
    [Fact]
    public async Task A_silent_player_is_asked_for_a_sign_of_life_and_then_told_and_closed()
    {
        await using TestServer server = await TestServer.StartAsync(
            "--PlayChat:Sessions:HeartbeatInterval=00:00:01", "--PlayChat:Sessions:IdleTimeout=00:00:02", "--PlayChat:Sessions:SweepInterval=00:00:00.05");
        await using TestClient client = await server.LoginAsync("kim");

        await client.NextAsync<SHeartbeatNtf>();
        SCloseNtf notice = await client.NextAsync<SCloseNtf>();

        Assert.Equal(CloseCode.IdleTimeout, notice.Reason);
    }
}
