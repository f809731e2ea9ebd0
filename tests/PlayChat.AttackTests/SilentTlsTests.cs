using System.Text.Json;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Connections that never finish a TLS handshake.</summary>
[Trait("Tier", "Full")]
public sealed class SilentTlsTests
{
    // The header of a TLS record that announces a ClientHello of 512 bytes, which never come.
    private static readonly ReadOnlyMemory<byte> s_beginning = (byte[])[0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03];

    [Theory]
    [InlineData("linux", 1, 400, 250)]
    [InlineData("sockets", 8, 1_600, 1_000)] // every place for handshakes is taken: newcomers displace the oldest silent ones
    [InlineData("sockets", 16, 8_000, 1_000, Explicit = true)]
    [InlineData("linux", 16, 8_000, 1_000, Explicit = true)]
    public async Task A_player_logs_in_over_TLS_beside_silent_handshakes(string transport, int addresses, int silent, int places)
    {
        using var certificate = new TestCertificate();
        await using ServerProcess server = await ServerProcess.StartAsync(
        [
            $"--Transport={transport}", "--PlayChat:Connections:LimitsLoopback=true",
            "--PlayChat:Endpoints:0:Tls:HandshakeTimeout=00:01:00", .. certificate.WritePem(),
        ]);
        await using RoomBeside room = await RoomBeside.StartAsync(server, certificate: certificate);
        Baseline before = await room.MeasureBusyAsync(transport + " TLS", 2, TimeSpan.FromSeconds(0.5));
        using (var crowd = new Crowd())
        {
            RoomReport attacked = await room.MeasureHeldAsync(Task.Run(async () =>
            {
                for (int i = 0; i < silent; i++)
                {
                    await crowd.AddAsync(server.Port, $"127.0.2.{1 + (i % addresses)}", i % 2 == 0 ? s_beginning : default);
                }

                // What is over the limit is closed; the rest is open and silent.
                await crowd.RefusedAsync(silent - places);
                await using ChatClient player = await Ordinary.LoginAsync(server, "player", certificate);
                await player.JoinRoomAsync(room.RoomId);
            }));

            attacked.AssertLike(before);
            Assert.True(OpenFiles(server) < places + 400, "The server holds more connections than handshakes may run.");
        }

        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room, certificate);
        Assert.Equal(0, ServerProcess.Figure(figures, "closes", "login_timeout"));
    }

    private static int OpenFiles(ServerProcess server) => ProcessReading.IsSupported ? ProcessReading.Of(server).OpenFiles : 0;
}
