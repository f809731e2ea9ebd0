using System.Text.Json;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.StressTests;

/// <summary>Peers that come and go in every way there is, for long.</summary>
[Trait("Category", "Stress")]
[Trait("Tier", "Full")]
public sealed class ConnectionStormTests
{
    private const int Peers = 32;
    private const long MaxWorkingSetBytes = 512L * 1024 * 1024;

    [Fact(Explicit = true)]
    public async Task A_long_storm_of_connections_leaves_no_session_room_or_buffer_behind()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatClient witness =
            await ChatClient.ConnectAsync("127.0.0.1", server.Port, new ChatClientOptions { RequestTimeout = TestTimeouts.Hang });
        await witness.LoginAsync("witness");

        using var stop = new CancellationTokenSource(StressDuration.Value);
        Task<long> storm = ConnectionStorm.RunAsync(server.Port, Peers, stop.Token);
        while (!storm.IsCompleted)
        {
            await witness.EchoAsync(new byte[] { 1 });
        }

        long connections = await storm;
        JsonElement figures = await server.WaitForFiguresAsync(
            static figures =>
                ServerProcess.Figure(figures, "now", "connections") == 1 && ServerProcess.Figure(figures, "now", "rooms") == 0);
        // Players whose connection broke have a session until the resume window has passed.
        Assert.Equal(1, ServerProcess.Figure(figures, "now", "sessions") - ServerProcess.Figure(figures, "extras", "away"));
        Assert.Equal(0, ServerProcess.Figure(figures, "now", "send_buffers_in_use"));
        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.Equal(connections + 1, ServerProcess.Figure(figures, "total", "connections_accepted"));
        Assert.InRange(ServerProcess.Figure(figures, "process", "peak_working_set_bytes"), 1, MaxWorkingSetBytes);
        Assert.Equal(0, await server.StopAsync());
    }
}
