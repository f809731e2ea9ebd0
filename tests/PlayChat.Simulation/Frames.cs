using System.Buffers.Binary;
using System.Runtime.InteropServices;
using PlayChat.Core.Packets;

namespace PlayChat.Simulation;

/// <summary>Packets on the wire, written anew here, so that a fault of Core's own codec shows.</summary>
internal static class Frames
{
    internal const int MaxFrameBytes = 64 * 1024;

    internal static byte[] Encode(PacketType<Wire> type, Wire message)
    {
        byte[] frame = new byte[8 + type.GetBodyBytes(message)];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length - 4);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), type.Id);
        message.Write(frame.AsSpan(8));
        return frame;
    }

    /// <summary>Takes the first frame off what was received.</summary>
    /// <returns><see langword="false"/> if it is not whole.</returns>
    internal static bool TryTake(List<byte> received, out ushort id, out ushort request, out byte[] body)
    {
        (id, request, body) = (0, 0, []);
        ReadOnlySpan<byte> bytes = CollectionsMarshal.AsSpan(received);
        if (bytes.Length < 8)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (length is < 4 or > MaxFrameBytes)
        {
            (id, body) = (0, []); // not a frame of this protocol: the client reports the unknown packet
            received.Clear();
            return true;
        }

        if (bytes.Length < 4 + length)
        {
            return false;
        }

        id = BinaryPrimitives.ReadUInt16BigEndian(bytes[4..]);
        request = BinaryPrimitives.ReadUInt16BigEndian(bytes[6..]);
        body = bytes[8..(4 + length)].ToArray();
        received.RemoveRange(0, 4 + length);
        return true;
    }
}
