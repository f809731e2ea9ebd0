using System.Buffers.Binary;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The modes that speak no chat: byte for byte.</summary>
public sealed class ModeTests
{
    [Fact]
    public async Task Echo_mode_sends_back_what_came_however_it_was_cut()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "echo");
        using RawPeer peer = await RawPeer.ConnectAsync(server.Port);
        var random = new Random(7);
        byte[] frames = [.. Enumerable.Range(0, 200).SelectMany(i => Framed(random, i % 20 == 0 ? 60_000 : random.Next(300)))];

        Task<byte[]> echoed = peer.ReceiveAsync(frames.Length);
        await SendInPiecesAsync(peer, frames, random);

        Assert.Equal(frames, await echoed);

        // Byte by byte, too.
        byte[] small = [.. Framed(random, 5), .. Framed(random, 0), .. Framed(random, 1)];
        foreach (byte value in small)
        {
            await peer.SendAsync(new[] { value });
        }

        Assert.Equal(small, await peer.ReceiveAsync(small.Length));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Broadcast_mode_passes_frames_on_to_everybody_in_the_room_and_nobody_else()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "broadcast", "--rooms", "2");

        // The k-th accepted connection joins room k mod 2. Each is known to be in when its own frame has come back.
        RawPeer[] peers = new RawPeer[4];
        for (int i = 0; i < peers.Length; i++)
        {
            peers[i] = await RawPeer.ConnectAsync(server.Port);
            byte[] hello = Sent(sender: i, [(byte)i]);
            await peers[i].SendAsync(hello);
            Assert.Equal(hello, await peers[i].ReceiveAsync(hello.Length));
        }

        await peers[0].ReceiveAsync(Sent(2, [2]).Length); // the hello of who came later
        await peers[1].ReceiveAsync(Sent(3, [3]).Length);
        var random = new Random(11);
        byte[] even =
            [.. Enumerable.Range(0, 300).SelectMany(i => Sent(2, Bytes(random, i % 50 == 0 ? ushort.MaxValue : random.Next(200))))];
        byte[] odd = [.. Enumerable.Range(0, 300).SelectMany(_ => Sent(1, Bytes(random, random.Next(200))))];
        Task<byte[]>[] evenHeard = [peers[0].ReceiveAsync(even.Length), peers[2].ReceiveAsync(even.Length)];
        Task<byte[]>[] oddHeard = [peers[1].ReceiveAsync(odd.Length), peers[3].ReceiveAsync(odd.Length)];

        await Task.WhenAll(SendInPiecesAsync(peers[2], even, new Random(1)), SendInPiecesAsync(peers[1], odd, new Random(2)));

        foreach (byte[] heard in await Task.WhenAll(evenHeard))
        {
            Assert.Equal(even, heard);
        }

        foreach (byte[] heard in await Task.WhenAll(oddHeard))
        {
            Assert.Equal(odd, heard);
        }

        foreach (RawPeer peer in peers)
        {
            peer.Dispose();
        }
    }

    private static byte[] Framed(Random random, int bodyBytes)
    {
        byte[] frame = new byte[4 + bodyBytes];
        random.NextBytes(frame);
        BinaryPrimitives.WriteInt32BigEndian(frame, bodyBytes);
        return frame;
    }

    private static byte[] Sent(int sender, byte[] payload)
    {
        byte[] frame = new byte[4 + payload.Length];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)payload.Length);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(2), (ushort)sender);
        payload.CopyTo(frame, 4);
        return frame;
    }

    private static byte[] Bytes(Random random, int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    // Some pieces are less than a header, some hold many frames.
    private static async Task SendInPiecesAsync(RawPeer peer, ReadOnlyMemory<byte> bytes, Random random)
    {
        while (bytes.Length > 0)
        {
            int piece = Math.Min(bytes.Length, random.Next(4) == 0 ? random.Next(1, 8) : random.Next(1, 20_000));
            await peer.SendAsync(bytes[..piece]);
            bytes = bytes[piece..];
        }
    }
}
