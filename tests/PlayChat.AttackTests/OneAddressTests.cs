using System.Text.Json;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>One address that takes all the connections that it can get.</summary>
[Trait("Tier", "Full")]
public sealed class OneAddressTests
{
    [Theory]
    [InlineData("sockets", 400, 300, 100)] // the default: a quarter of MaxConnections
    [InlineData("linux", 400, 300, 100)]
    [InlineData("sockets", 100_000, 5_000, 1_000, Explicit = true)] // and 1,000 at most
    [InlineData("linux", 100_000, 5_000, 1_000, Explicit = true)]
    public async Task One_address_gets_its_share_and_another_one_logs_in(string transport, int maxConnections, int greedy, int share)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--PlayChat:Connections:LimitsLoopback=true",
            $"--PlayChat:Connections:MaxConnections={maxConnections}", "--PlayChat:Sessions:LoginTimeout=00:10:00",
            "--PlayChat:Sessions:HeartbeatInterval=01:00:00", "--PlayChat:Connections:AcceptsPerSecondPerAddress=0");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));
        using (var crowd = new Crowd())
        {
            RoomReport attacked = await room.MeasureHeldAsync(Task.Run(async () =>
            {
                for (int i = 0; i < greedy; i++)
                {
                    await crowd.AddAsync(server.Port, "127.0.3.1");
                }

                await crowd.RefusedAsync(greedy - share);
                await using ChatClient player = await Ordinary.LoginAsync(server, "player");
                await player.JoinRoomAsync(room.RoomId);
            }));

            attacked.AssertLike(before);
            JsonElement during = await server.WaitForFiguresAsync(
                figures => ServerProcess.Figure(figures, "now", "connections") == room.Members + share);
            Assert.Equal(greedy - share, ServerProcess.Figure(during, "total", "connections_refused"));
        }

        await Aftermath.AssertUnharmedAsync(server, room);
    }

    [Theory]
    [InlineData("linux", 2_000)]
    [InlineData("sockets", 100_000, Explicit = true)]
    public async Task An_address_that_connects_too_fast_is_reset_and_another_one_logs_in(string transport, int connections)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--PlayChat:Connections:LimitsLoopback=true",
            "--PlayChat:Connections:MaxConnectionsPerAddress=50", "--PlayChat:Connections:AcceptsPerSecondPerAddress=40");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 4, TimeSpan.FromSeconds(0.5));

        Task<long> attack = Attacker.RunAsync(
            new AttackPlan(server.Port, connections) { OneAddress = true }, 4, static (_, _) => { });
        RoomReport attacked = await room.MeasureAsync(attack);

        attacked.AssertLike(before);
        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room);
        Assert.True(ServerProcess.Figure(figures, "total", "connections_refused") > connections / 2, figures.ToString());
    }
}
