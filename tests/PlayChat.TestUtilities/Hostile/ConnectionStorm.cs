using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace PlayChat.TestUtilities.Hostile;

/// <summary>Peers of a chat server that come and go in every way there is: politely, in the middle of a frame, without reading, under each
/// other's names.</summary>
public sealed class ConnectionStorm
{
    private const ushort EchoId = 1;
    private const ushort CreateRoomId = 100;
    private const ushort JoinRoomId = 101;
    private const ushort ChatId = 102;
    private const ushort LeaveRoomId = 103;

    // Few, so that peers take each other's sessions over.
    private const int Names = 16;
    private const int Rooms = 100;

    // What the kernel's buffers take without anybody reading.
    private const int UnreadEchoes = 8;
    private const int EchoBytes = 8 * 1024;

    private readonly int _port;
    private readonly HostileFrames _hostile;

    private ConnectionStorm(int port, int seed)
    {
        _port = port;
        _hostile = new HostileFrames(seed);
    }

    private Random Random => _hostile.Random;

    /// <summary>Lets peers come and go until it is stopped; then none is connected any more.</summary>
    /// <param name="port">The server's.</param>
    /// <param name="peers">How many at once.</param>
    /// <param name="stop">Ends it.</param>
    /// <returns>How many connections there were.</returns>
    /// <exception cref="SocketException">The server took no connection.</exception>
    /// <exception cref="OperationCanceledException">The server neither answered nor closed within the hang guard.</exception>
    public static async Task<long> RunAsync(int port, int peers, CancellationToken stop)
    {
        long[] connections =
            await Task.WhenAll(Enumerable.Range(1, peers).Select(seed => Task.Run(() => new ConnectionStorm(port, seed).RunAsync(stop))));
        return connections.Sum();
    }

    private static byte[] Text(int field, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return [(byte)((field << 3) | 2), (byte)bytes.Length, .. bytes]; // fewer than 128 bytes
    }

    // Room ids of a storm are below 16,384: two bytes of seven bits.
    private static byte[] RoomId(int id) => [0x08, (byte)((id & 0x7F) | 0x80), (byte)(id >> 7)];

    private async Task<long> RunAsync(CancellationToken stop)
    {
        long connections = 0;
        while (!stop.IsCancellationRequested)
        {
            connections++;
            using RawPeer peer = await RawPeer.ConnectAsync(_port);
            try
            {
                await BehaveAsync(peer);
            }
            catch (SocketException)
            {
                // The server has closed, for instance because another peer has taken the player over.
            }
        }

        return connections;
    }

    private Task BehaveAsync(RawPeer peer) => Random.Next(8) switch
    {
        0 => ResetAsync(peer),
        1 => SendAndResetAsync(peer, _hostile.Truncated()),
        2 => SendAndReadAsync(peer, _hostile.Noise()),
        3 => SendAndReadAsync(
            peer, [.. NextLogin(), .. Enumerable.Range(0, 10).SelectMany(_ => _hostile.Refused()), .. _hostile.TooLarge()]),
        4 => SendAndResetAsync(
            peer, [.. NextLogin(), .. Enumerable.Range(0, UnreadEchoes).SelectMany(_ => RawPeer.Packet(EchoId, 2, new byte[EchoBytes]))]),
        5 => SendAndResetAsync(peer, [.. NextLogin(), .. RawPeer.Packet(CreateRoomId, 2, Text(1, "storm")), .. NextTalk()]),
        6 => SendAndReadAsync(peer, [.. NextLogin(), .. RawPeer.Packet(CreateRoomId, 2, Text(1, "storm")), .. NextTalk()]),
        _ => SendAndReadAsync(peer, [.. NextLogin(), .. NextTalk(), .. NextTalk(), .. NextTalk()]),
    };

    private static Task ResetAsync(RawPeer peer)
    {
        peer.Reset();
        return Task.CompletedTask;
    }

    private static async Task SendAndResetAsync(RawPeer peer, byte[] bytes)
    {
        await peer.SendAsync(bytes);
        peer.Reset();
    }

    private static async Task SendAndReadAsync(RawPeer peer, byte[] bytes)
    {
        await peer.SendAsync(bytes);
        peer.EndSending();
        await peer.ReceiveLastPacketAsync();
    }

    private byte[] NextLogin() => HostileFrames.Login($"storm {Random.Next(Names).ToString(CultureInfo.InvariantCulture)}");

    private byte[] NextTalk()
    {
        byte[] room = RoomId(Random.Next(1, Rooms));
        return
        [
            .. RawPeer.Packet(JoinRoomId, 3, room),
            .. RawPeer.Packet(ChatId, 4, [.. room, .. Text(2, "바람이 분다")]),
            .. RawPeer.Packet(LeaveRoomId, 5, room),
        ];
    }
}
