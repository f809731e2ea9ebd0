namespace PlayChat.Connector;

/// <summary>A received packet.</summary>
internal readonly record struct Packet(ushort Id, ushort RequestId, byte[] Body);

/// <summary>Makes packets of bytes, and bytes of packets: proto/PROTOCOL.md, "Packet".</summary>
internal static class Frames
{
    // Only what it writes and needs no limit for: the server has its own.
    private static readonly PacketCodec s_writer = new(int.MaxValue, int.MaxValue);

    internal static byte[] Encode(ushort id, ushort requestId, byte[] body)
    {
        byte[] frame = new byte[PacketCodec.PacketHeaderBytes + body.Length];
        s_writer.WriteHeader(frame, new FrameHeader(id, requestId), body.Length);
        body.CopyTo(frame, PacketCodec.PacketHeaderBytes);
        return frame;
    }

    internal static byte[] Heartbeat(ushort requestId) => Encode(PacketIds.Heartbeat, requestId, Array.Empty<byte>());

    /// <summary>Takes one packet off the front of the bytes between <paramref name="at"/> and <paramref name="end"/>.</summary>
    internal static DecodeStatus TryDecode(PacketCodec codec, byte[] buffer, ref int at, int end, out Packet packet)
    {
        packet = default;
        if (at == end)
        {
            return DecodeStatus.NeedMoreData;
        }

        DecodeStatus status = codec.TryDecode(new ReadOnlySpan<byte>(buffer, at, end - at), out FrameHeader header, out FrameBounds bounds);
        if (status == DecodeStatus.Frame)
        {
            byte[] body = new ReadOnlySpan<byte>(buffer, at + bounds.BodyOffset, bounds.BodyBytes).ToArray();
            packet = new Packet(header.PacketId, header.RequestId, body);
            at += bounds.FrameBytes;
        }

        return status;
    }
}
