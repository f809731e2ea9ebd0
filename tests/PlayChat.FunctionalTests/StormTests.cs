using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Two seconds of what PlayChat.StressTests does for ten minutes.</summary>
[Trait("Tier", "Full")]
public sealed class StormTests
{
    private const int Peers = 8;
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task Peers_that_come_and_go_in_every_way_leave_nothing_behind()
    {
        // Players whose connection broke keep their session, and so their rooms, until the resume window has passed.
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--PlayChat:Sessions:ResumeWindow=00:00:01", "--Rooms:Lasting=false");
        await using ChatClient witness = await Players.LoginAsync(server, "witness");

        using var stop = new CancellationTokenSource(s_duration);
        Task<long> storm = ConnectionStorm.RunAsync(server.Port, Peers, stop.Token);
        while (!storm.IsCompleted)
        {
            await witness.ListRoomsAsync();
        }

        Assert.True(await storm > 0);
        JsonElement figures = await server.WaitForFiguresAsync(
            static figures => ServerProcess.Figure(figures, "now", "connections") == 1
                && ServerProcess.Figure(figures, "now", "sessions") == 1
                && ServerProcess.Figure(figures, "now", "rooms") == 0);
        Assert.Equal(0, ServerProcess.Figure(figures, "now", "send_buffers_in_use"));
        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.Empty((await witness.ListRoomsAsync()).Rooms);
        Assert.DoesNotContain(server.Program.OutputLines, static line => line.Contains(" ERR ", StringComparison.Ordinal));
    }
}
