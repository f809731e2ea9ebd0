using System.Text;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A thousand players at once.</summary>
[Trait("Tier", "Full")]
public sealed class CrowdTests
{
    private const int Crowd = 1000;

    [Fact]
    public async Task A_thousand_players_connect_at_once_log_in_and_echo()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--PlayChat:Sessions:LoginTimeout=00:01:00");
        await using ChatConnector connector = Players.Connector(server);

        long[] playerIds = await Task.WhenAll(Enumerable.Range(0, Crowd).Select(ArriveAsync));

        Assert.Equal(Enumerable.Range(1, Crowd).Select(static id => (long)id), playerIds.Order());
        await server.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "now", "sessions") == Crowd);
        Assert.Equal(0, ServerProcess.Figure(server.ReadFigures(), "total", "connections_refused"));

        async Task<long> ArriveAsync(int number)
        {
            ChatClient client = await connector.ConnectAsync();
            SLoginRes login = await client.LoginAsync($"player {number}");
            string word = $"메아리 {number}";
            Assert.Equal(word, Encoding.UTF8.GetString((await client.EchoAsync(Encoding.UTF8.GetBytes(word))).Span));
            return login.PlayerId;
        }
    }
}
