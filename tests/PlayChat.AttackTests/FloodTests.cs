using System.Text.Json;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Players that send as much as they can, of everything.</summary>
[Trait("Tier", "Full")]
public sealed class FloodTests
{
    private const int FramesOfWrite = 20;

    // What ServerProcess turns off.
    private static readonly string[] s_defaultLimits =
    [
        "--Sessions:PacketsPerSecond=100", "--PlayChat:Connections:BytesPerSecond=262144", "--PlayChat:Connections:FramesPerSecond=500",
        "--Sessions:PagesPerSecond=20",
    ];

    [Theory]
    [InlineData("sockets", false, 20, 3)]
    [InlineData("linux", false, 20, 3)]
    [InlineData("sockets", true, 20, 3)]
    [InlineData("sockets", false, 20, 30, Explicit = true)]
    [InlineData("linux", false, 20, 30, Explicit = true)]
    [InlineData("sockets", true, 20, 30, Explicit = true)]
    public async Task Connections_without_a_limit_flood_the_server_at_full_speed_and_a_room_beside_them_talks_on(
        string transport, bool tls, int attackers, int seconds)
    {
        JsonElement figures = await AttackAsync(transport, tls, [], attackers, seconds, Flood);

        Assert.True(ServerProcess.Figure(figures, "total", "frames_received") > 1_000, figures.ToString());
        Assert.True(ServerProcess.Figure(figures, "total", "protocol_violations") > 0, figures.ToString());
        Assert.True(ServerProcess.Figure(figures, "total", "unknown_packets") > 0, figures.ToString());
    }

    [Theory]
    [InlineData("sockets", false, 50, 2)]
    [InlineData("linux", false, 50, 2)]
    [InlineData("sockets", false, 100, 30, Explicit = true)]
    [InlineData("linux", false, 100, 30, Explicit = true)]
    [InlineData("sockets", true, 100, 30, Explicit = true)]
    public async Task Connections_flood_the_server_beyond_the_default_limits_and_a_room_beside_them_talks_on(
        string transport, bool tls, int attackers, int seconds)
    {
        JsonElement figures = await AttackAsync(transport, tls, s_defaultLimits, attackers, seconds, Flood);

        Assert.True(ServerProcess.Figure(figures, "closes", "rate_limited") > 0, figures.ToString());
    }

    private static async Task<JsonElement> AttackAsync(
        string transport, bool tls, string[] options, int attackers, int seconds, Action<Attacker, Stream> behave)
    {
        using TestCertificate? certificate = tls ? new TestCertificate() : null;
        await using ServerProcess server =
            await ServerProcess.StartAsync([$"--Transport={transport}", .. options, .. certificate?.WritePem() ?? []]);
        await using RoomBeside room = await RoomBeside.StartAsync(server, certificate: certificate);
        Baseline before = await room.MeasureBusyAsync(tls ? transport + " TLS" : transport, attackers, TimeSpan.FromSeconds(1));

        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(seconds));
        var plan = new AttackPlan(server.Port, stop: stop.Token) { Certificate = certificate };
        RoomReport attacked = await room.MeasureAsync(Attacker.RunAsync(plan, attackers, behave));

        attacked.AssertLike(before);
        return await Aftermath.AssertUnharmedAsync(server, room, certificate, players: attackers);
    }

    /// <summary>One connection: a login, and then one kind of flood until the server closes it, or for some thousand frames.</summary>
    private static void Flood(Attacker attacker, Stream stream)
    {
        HostileFrames hostile = attacker.Hostile;
        stream.Write(HostileFrames.Login($"flood {attacker.Number}"));
        int kind = hostile.Random.Next(6);
        int writes = hostile.Random.Next(1, 200);
        for (int i = 0; i < writes && !attacker.IsOver; i++)
        {
            byte[] frames = [.. Enumerable.Range(0, FramesOfWrite).SelectMany(_ => Frame(hostile, kind))];
            stream.Write(frames);
        }

        if (kind % 2 == 0)
        {
            stream.Write(hostile.TooLarge());
            Attacker.ReadToEnd(stream);
        }
    }

    // The odd kinds never read an answer.
    private static byte[] Frame(HostileFrames hostile, int kind) => kind switch
    {
        0 or 1 => hostile.Refused(),
        2 or 3 => RawPeer.Packet(
            (ushort)PacketId.CEchoReq, requestId: 2, new CEchoReq { Payload = ByteString.CopyFrom(new byte[1000]) }.ToByteArray()),
        4 => RawPeer.Packet((ushort)PacketId.CListRoomsReq, requestId: 2, []),
        _ => RawPeer.Packet((ushort)PacketId.CHeartbeatNtf, requestId: 0, []),
    };
}
