using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Google.Protobuf;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Baselines;

/// <summary>Every baseline over real sockets: it is honest only when it does the same as PlayChat.</summary>
public sealed class BaselineTests
{
    public static TheoryData<string> Names => [.. Baseline.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Frames_are_echoed_as_they_came_however_they_are_cut(string name)
    {
        await using IBaselineServer server = await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Echo, 1, 0));
        using NetworkStream peer = await ConnectAsync(server);
        byte[] sent = [.. Length4(3), .. Length4(0), .. Length4(65_536), .. Length4(1), .. Length4(9000)];

        foreach (byte[] piece in sent.Chunk(7001))
        {
            await peer.WriteAsync(piece);
        }

        Assert.Equal(sent, await ReadAsync(peer, sent.Length));
        Assert.Equal(5, server.Counters.FramesReceived);
        Assert.Equal(sent.Length, server.Counters.BytesReceived);
        Assert.Equal(1, server.Counters.Accepted);
    }

    [Fact]
    public async Task Kestrel_answers_packets_with_the_id_of_their_request()
    {
        await using IBaselineServer server = await Baseline.Require("kestrel").StartAsync(new BaselineSettings(BaselineMode.Chat, 1, 0));
        using NetworkStream peer = await ConnectAsync(server);
        byte[] login = new CLoginReq { Name = "ada" }.ToByteArray();
        byte[] echo = new CEchoReq { Payload = ByteString.CopyFrom(new byte[9000]) }.ToByteArray();
        byte[] sent = [.. Packet(PacketId.CLoginReq, 7, login), .. Packet(PacketId.CEchoReq, 65_535, echo)];

        foreach (byte[] piece in sent.Chunk(1001))
        {
            await peer.WriteAsync(piece);
        }

        byte[] expected =
        [
            .. Packet(PacketId.SLoginRes, 7, new SLoginRes { Name = "ada" }.ToByteArray()),
            .. Packet(PacketId.SEchoRes, 65_535, new SEchoRes { Payload = ByteString.CopyFrom(new byte[9000]) }.ToByteArray()),
        ];
        Assert.Equal(expected, await ReadAsync(peer, expected.Length));
        Assert.Equal(2, server.Counters.FramesReceived);
    }

    [Fact]
    public async Task Kestrel_ends_a_connection_that_sends_no_packet()
    {
        await using IBaselineServer server = await Baseline.Require("kestrel").StartAsync(new BaselineSettings(BaselineMode.Chat, 1, 0));
        using NetworkStream peer = await ConnectAsync(server);

        await peer.WriteAsync(new byte[] { 0, 0, 0, 1, 9 });

        Assert.Equal(0, await ReadToEndAsync(peer));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_window_of_many_frames_is_echoed_while_the_peer_reads_late(string name)
    {
        await using IBaselineServer server = await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Echo, 1, 0));
        using NetworkStream peer = await ConnectAsync(server);
        byte[] frames = Enumerable.Range(0, 200).SelectMany(static _ => Length4(60_000)).ToArray(); // more than the sockets hold

        Task writing = peer.WriteAsync(frames).AsTask();
        byte[] read = await ReadAsync(peer, frames.Length);

        await writing.WaitAsync(TestTimeouts.Hang);
        Assert.True(frames.AsSpan().SequenceEqual(read));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_length_over_the_limit_ends_the_connection(string name)
    {
        await using IBaselineServer server = await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Echo, 1, 0));
        using NetworkStream peer = await ConnectAsync(server);

        await peer.WriteAsync(new byte[] { 0, 1, 0, 1 });

        Assert.Equal(0, await ReadToEndAsync(peer));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Each_frame_reaches_every_connection_of_its_room_and_no_other(string name)
    {
        const int Rooms = 2;
        await using IBaselineServer server =
            await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Broadcast, Rooms, 0));
        var peers = new List<NetworkStream>();
        for (int i = 0; i < 4; i++)
        {
            peers.Add(await ConnectAsync(server));
            await Eventually.TrueAsync(() => server.Counters.Accepted == peers.Count);
        }

        byte[] odd = [.. Sender(1, 10), .. Sender(1, 0)];
        byte[] even = Sender(2, 5000);
        await peers[0].WriteAsync(odd); // the first accepted, so in room 1 with the third
        await peers[3].WriteAsync(even);

        Assert.Equal(odd, await ReadAsync(peers[0], odd.Length));
        Assert.Equal(odd, await ReadAsync(peers[2], odd.Length));
        Assert.Equal(even, await ReadAsync(peers[1], even.Length));
        Assert.Equal(even, await ReadAsync(peers[3], even.Length));
        await Eventually.TrueAsync(() => server.Counters.Deliveries == 6);
        peers.ForEach(static peer => peer.Dispose());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task What_many_send_at_once_arrives_everywhere_in_one_order(string name)
    {
        const int Peers = 5;
        const int Frames = 400;
        await using IBaselineServer server = await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Broadcast, 1, 0));
        NetworkStream[] peers = await Task.WhenAll(Enumerable.Range(0, Peers).Select(_ => ConnectAsync(server)));
        await Eventually.TrueAsync(() => server.Counters.Accepted == Peers);
        int bytes = Peers * Frames * Sender(0, 20).Length;

        Task<byte[]>[] reading = peers.Select(peer => ReadAsync(peer, bytes)).ToArray();
        await Task.WhenAll(peers.Select((peer, i) => SendAsync(peer, i, Frames)));
        byte[][] read = await Task.WhenAll(reading);

        Assert.All(read, other => Assert.True(read[0].AsSpan().SequenceEqual(other)));
        Array.ForEach(peers, static peer => peer.Dispose());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_connection_that_has_ended_is_in_its_room_no_longer(string name)
    {
        await using IBaselineServer server = await Baseline.Require(name).StartAsync(new BaselineSettings(BaselineMode.Broadcast, 1, 0));
        NetworkStream gone = await ConnectAsync(server);
        using NetworkStream stays = await ConnectAsync(server);
        await Eventually.TrueAsync(() => server.Counters.Accepted == 2);

        await gone.DisposeAsync();
        await Eventually.TrueAsync(() => server.Counters.Closed == 1);
        await stays.WriteAsync(Sender(1, 4));

        Assert.Equal(Sender(1, 4), await ReadAsync(stays, Sender(1, 4).Length));
        await Eventually.TrueAsync(() => server.Counters.Deliveries == 1);
    }

    private static async Task SendAsync(NetworkStream peer, int sender, int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            await peer.WriteAsync(Sender((ushort)sender, 20));
        }
    }

    private static byte[] Length4(int bodyBytes)
    {
        byte[] frame = new byte[4 + bodyBytes];
        new Random(bodyBytes).NextBytes(frame);
        BinaryPrimitives.WriteInt32BigEndian(frame, bodyBytes);
        return frame;
    }

    private static byte[] Sender(ushort sender, int payloadBytes)
    {
        byte[] frame = new byte[4 + payloadBytes];
        new Random(payloadBytes).NextBytes(frame);
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)payloadBytes);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(2), sender);
        return frame;
    }

    private static async Task<NetworkStream> ConnectAsync(IBaselineServer server)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, server.Port).WaitAsync(TestTimeouts.Hang);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream, int bytes)
    {
        byte[] read = new byte[bytes];
        await stream.ReadExactlyAsync(read).AsTask().WaitAsync(TestTimeouts.Hang);
        return read;
    }

    private static byte[] Packet(PacketId id, ushort requestId, byte[] body)
    {
        byte[] packet = new byte[8 + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(packet, 4 + body.Length);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(4), (ushort)id);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(6), requestId);
        body.CopyTo(packet, 8);
        return packet;
    }

    private static async Task<int> ReadToEndAsync(NetworkStream stream)
    {
        try
        {
            return await stream.ReadAsync(new byte[1]).AsTask().WaitAsync(TestTimeouts.Hang);
        }
        catch (IOException)
        {
            return 0; // reset: it had not read all that came
        }
    }

}
