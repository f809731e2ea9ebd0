using System.Net.Sockets;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>What strangers send costs them their connection at most.</summary>
[Trait("Tier", "Full")]
public sealed class HostileFrameTests
{
    private const int Attackers = 8;
    private const int FramesOfEach = 1250; // 10,000 together
    private const int MaxFramesOfConnection = 30;

    private static readonly Dictionary<CloseCode, string> s_counted = new()
    {
        [CloseCode.FrameTooLarge] = "frame_too_large",
        [CloseCode.ProtocolViolation] = "protocol_violation",
        [CloseCode.UnknownPacket] = "unknown_packet",
    };

    private readonly Dictionary<CloseCode, int> _told = [];

    [Fact]
    public async Task Ten_thousand_malformed_and_random_frames_leave_the_server_serving_others()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatClient first = await Players.LoginAsync(server, "first bystander");
        await using ChatClient second = await Players.LoginAsync(server, "second bystander");
        SCreateRoomRes room = await first.CreateRoomAsync("an ordinary evening");
        var inbox = new Inbox(second);
        await second.JoinRoomAsync(room.RoomId);

        Task<int>[] attacks = Enumerable.Range(1, Attackers).Select(seed => Task.Run(() => AttackAsync(server, seed))).ToArray();
        Task<int[]> attack = Task.WhenAll(attacks);
        int said = 0;
        do
        {
            string text = $"message {++said}";
            await first.ChatAsync(room.RoomId, text);
            Assert.Equal(text, (await inbox.NextChatAsync()).Text);
        }
        while (!attack.IsCompleted);

        int frames = (await attack).Sum();
        Assert.True(frames >= Attackers * FramesOfEach, $"Only {frames} frames were sent.");
        Assert.Equal(0, second.MissedMessages);
        Assert.All(s_counted.Keys, code => Assert.True(_told.GetValueOrDefault(code) > 0, $"No peer was told {code}."));
        // Figures read the closes first, so the last ones may be only in the next figures.
        JsonElement figures = await server.WaitForFiguresAsync(figures => ServerProcess.Figure(figures, "now", "connections") == 2
            && s_counted.All(counted => ServerProcess.Figure(figures, "closes", counted.Value) >= _told.GetValueOrDefault(counted.Key)));
        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.Equal(2, ServerProcess.Figure(figures, "now", "sessions"));
        Assert.Equal(1, ServerProcess.Figure(figures, "now", "rooms"));
        Assert.DoesNotContain(server.Program.OutputLines, static line => line.Contains(" ERR ", StringComparison.Ordinal));
    }

    /// <returns>How many frames it sent.</returns>
    private async Task<int> AttackAsync(ServerProcess server, int seed)
    {
        var hostile = new HostileFrames(seed);
        int sent = 0;
        while (sent < FramesOfEach)
        {
            using RawPeer peer = await RawPeer.ConnectAsync(server.Port);
            try
            {
                sent += hostile.Random.Next(10) switch
                {
                    0 => await StrangerAsync(peer, hostile),
                    1 => await NoiseAsync(peer, hostile),
                    2 => await BreakOffAsync(peer, hostile),
                    _ => await PlayerAsync(peer, hostile, $"attacker {seed}"),
                };
            }
            catch (SocketException)
            {
                // The server had closed already and answered the rest with a reset; on to the next connection.
            }
        }

        return sent;
    }

    /// <summary>Logged in, many refused frames in random pieces, and one at the end that cannot be survived.</summary>
    private async Task<int> PlayerAsync(RawPeer peer, HostileFrames hostile, string name)
    {
        await peer.SendAsync(HostileFrames.Login(name));
        Assert.Equal((ushort)PacketId.SLoginRes, (await peer.ReceivePacketAsync())?.Id);
        byte[][] frames = Enumerable.Range(0, hostile.Random.Next(1, MaxFramesOfConnection)).Select(_ => hostile.Refused()).ToArray();
        bool isTooLarge = hostile.Random.Next(2) == 0;
        byte[] fatal = isTooLarge ? hostile.TooLarge() : hostile.TooShort();
        ReadOnlyMemory<byte> bytes = (byte[])[.. frames.SelectMany(static frame => frame), .. fatal];
        while (bytes.Length > 0)
        {
            int piece = Math.Min(bytes.Length, hostile.Random.Next(1, 2000));
            await peer.SendAsync(bytes[..piece]);
            bytes = bytes[piece..];
        }

        await AssertToldAsync(peer, isTooLarge ? CloseCode.FrameTooLarge : CloseCode.ProtocolViolation);
        return frames.Length + 1;
    }

    /// <summary>Not logged in: the first bad frame is the last.</summary>
    private async Task<int> StrangerAsync(RawPeer peer, HostileFrames hostile)
    {
        bool isUnknown = hostile.Random.Next(2) == 0;
        await peer.SendAsync(isUnknown ? hostile.UnknownPacket() : hostile.MalformedLogin());
        await AssertToldAsync(peer, isUnknown ? CloseCode.UnknownPacket : CloseCode.ProtocolViolation);
        return 1;
    }

    private static async Task<int> NoiseAsync(RawPeer peer, HostileFrames hostile)
    {
        await peer.SendAsync(hostile.Noise());
        peer.EndSending();
        await peer.ReceiveLastPacketAsync();
        return 1;
    }

    private static async Task<int> BreakOffAsync(RawPeer peer, HostileFrames hostile)
    {
        await peer.SendAsync(hostile.Truncated());
        peer.Reset();
        return 1;
    }

    private async Task AssertToldAsync(RawPeer peer, CloseCode expected)
    {
        RawPacket? last = await peer.ReceiveLastPacketAsync();
        Assert.Equal((ushort)PacketId.SCloseNtf, last?.Id);
        Assert.Equal(expected, SCloseNtf.Parser.ParseFrom(last!.Value.Payload).Reason);
        lock (_told)
        {
            _told[expected] = _told.GetValueOrDefault(expected) + 1;
        }
    }
}
