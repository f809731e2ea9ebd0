using System.Net.Sockets;
using System.Text.Json;
using PlayChat.AttackTests.Harness;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Strangers that connect again and again and send anything but a login.</summary>
[Trait("Tier", "Full")]
public sealed class GarbageTests
{
    private const int Attackers = 8;

    private static readonly byte[] s_eightBadBytes = [255, 255, 255, 255, 255, 255, 255, 255];

    [Theory]
    [InlineData("sockets", 2_000)]
    [InlineData("linux", 2_000)]
    [InlineData("sockets", 100_000, Explicit = true)]
    [InlineData("linux", 100_000, Explicit = true)]
    public async Task Connections_that_send_garbage_are_closed_and_a_room_beside_them_talks_on(string transport, int connections)
    {
        JsonElement figures = await AttackAsync(transport, connections, static (attacker, stream) =>
        {
            byte[] bytes = attacker.Hostile.Random.Next(6) switch
            {
                0 => s_eightBadBytes,
                1 => attacker.Hostile.UnknownPacket(),
                2 => attacker.Hostile.MalformedLogin(),
                3 => attacker.Hostile.TooLarge(),
                4 => attacker.Hostile.Truncated(),
                _ => attacker.Hostile.Noise(),
            };
            stream.Write(bytes);
            if (attacker.Hostile.Random.Next(4) > 0)
            {
                ((NetworkStream)stream).Socket.Shutdown(SocketShutdown.Send);
                Attacker.ReadToEnd(stream);
            }
        });

        Assert.True(ServerProcess.Figure(figures, "total", "protocol_violations") > connections / 8, figures.ToString());
        Assert.True(ServerProcess.Figure(figures, "closes", "unknown_packet") > connections / 16, figures.ToString());
    }

    // LogFloodTests counts the lines; here it is the bytes on disk and the room that count.
    [Theory]
    [InlineData("sockets", 1_000)]
    [InlineData("linux", 50_000, Explicit = true)]
    public async Task Eight_bad_bytes_on_each_of_many_connections_leave_a_small_log(string transport, int connections)
    {
        JsonElement figures = await AttackAsync(transport, connections, static (_, stream) =>
        {
            stream.Write("GET / HT"u8); // a bad frame, and a line about HTTP, which the server's own filter limits
            Attacker.ReadToEnd(stream);
        });

        Assert.True(ServerProcess.Figure(figures, "closes", "frame_too_large") >= connections / 2, figures.ToString());
        Assert.True(figures.GetProperty("extras").GetProperty("log_left_out").GetDouble() >= connections / 2.0, figures.ToString());
    }

    private static async Task<JsonElement> AttackAsync(string transport, int connections, Action<Attacker, Stream> behave)
    {
        await using ServerProcess server = await ServerProcess.StartAsync($"--Transport={transport}");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, Attackers, TimeSpan.FromSeconds(0.5));

        RoomReport attacked = await room.MeasureAsync(Attacker.RunAsync(new AttackPlan(server.Port, connections), Attackers, behave));

        attacked.AssertLike(before);
        return await Aftermath.AssertUnharmedAsync(server, room);
    }
}
