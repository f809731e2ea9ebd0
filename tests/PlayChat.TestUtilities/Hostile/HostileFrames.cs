using System.Buffers.Binary;
using System.Text;

namespace PlayChat.TestUtilities.Hostile;

/// <summary>Bytes that no client of the chat protocol sends. The same seed gives the same bytes. Not thread-safe.</summary>
public sealed class HostileFrames(int seed)
{
    private static readonly byte[] s_malformed = [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]; // field 1, of minus one byte

    private const int MaxFrameBytes = 64 * 1024; // the server's default
    private const int MaxPayloadBytes = 300;
    private const ushort LoginId = 10;

    private static readonly ushort[] s_requests = [1, 100, 101, 102, 103, 104];

    /// <summary>What decides; for the driver's own choices, too.</summary>
    public Random Random { get; } = new(seed);

    /// <summary>A login as a client sends it.</summary>
    public static byte[] Login(string name, ushort requestId = 1)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(name);
        return RawPeer.Packet(LoginId, requestId, [0x0A, (byte)bytes.Length, .. bytes]); // field 1, fewer than 128 bytes
    }

    /// <summary>A well-formed frame with a packet id that the server does not know.</summary>
    public byte[] UnknownPacket() => RawPeer.Packet((ushort)Random.Next(200, ushort.MaxValue), NextRequestId(), NextBytes());

    /// <summary>A known packet id with a payload that is no protobuf message.</summary>
    public byte[] MalformedPayload() => RawPeer.Packet(NextRequest(), NextRequestId(), [.. s_malformed, .. NextBytes()]);

    /// <summary>A login that is no protobuf message.</summary>
    public byte[] MalformedLogin() => RawPeer.Packet(LoginId, NextRequestId(), [.. s_malformed, .. NextBytes()]);

    /// <summary>A known packet id with any bytes, which may even be a message.</summary>
    public byte[] RandomPayload() => RawPeer.Packet(NextRequest(), NextRequestId(), NextBytes());

    /// <summary>A length over the largest frame, and nothing after it.</summary>
    public byte[] TooLarge() => Length((uint)Random.NextInt64(MaxFrameBytes + 1, uint.MaxValue));

    /// <summary>A length that leaves no room for the packet id.</summary>
    public byte[] TooShort() => Length((uint)Random.Next(4));

    /// <summary>A frame that never ends.</summary>
    public byte[] Truncated()
    {
        byte[] whole = RandomPayload();
        return whole[..Random.Next(1, whole.Length)];
    }

    /// <summary>Any bytes.</summary>
    public byte[] Noise() => [(byte)Random.Next(256), .. NextBytes()];

    /// <summary>One of the frames to which a server that knows the player answers an error, if anything.</summary>
    public byte[] Refused() => Random.Next(3) switch
    {
        0 => UnknownPacket(),
        1 => MalformedPayload(),
        _ => RandomPayload(),
    };

    private static byte[] Length(uint value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        return bytes;
    }

    private ushort NextRequest() => s_requests[Random.Next(s_requests.Length)];

    private ushort NextRequestId() => (ushort)Random.Next(ushort.MaxValue + 1);

    private byte[] NextBytes()
    {
        byte[] bytes = new byte[Random.Next(MaxPayloadBytes)];
        Random.NextBytes(bytes);
        return bytes;
    }
}
