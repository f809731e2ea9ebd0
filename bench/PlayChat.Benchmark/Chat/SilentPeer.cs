using Google.Protobuf;

namespace PlayChat.Benchmark.Chat;

internal static class SilentPeer
{
    private const int HeaderBytes = 8;

    /// <summary>Connects, logs in and joins.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    /// <exception cref="RunFailedException">The server refused, or closed.</exception>
    public static async Task JoinAsync(
        StalledReader peer, ServerAddress server, string name, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            await peer.ConnectAsync(server, cancellationToken);
            await using var stream = new NetworkStream(peer.Socket, ownsSocket: false);
            await RequestAsync(stream, PacketId.CLoginReq, new CLoginReq { Name = name }, cancellationToken);
            await RequestAsync(stream, PacketId.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId }, cancellationToken);
        }
        catch (IOException e)
        {
            throw new RunFailedException($"A silent client's connection ended before it was in its room: {e.Message}");
        }
    }

    private static async Task RequestAsync(NetworkStream stream, PacketId id, IMessage request, CancellationToken cancellationToken)
    {
        byte[] packet = new byte[HeaderBytes + request.CalculateSize()];
        BinaryPrimitives.WriteInt32BigEndian(packet, packet.Length - sizeof(int));
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(4), (ushort)id);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(6), Handshake.RequestId);
        request.WriteTo(packet.AsSpan(HeaderBytes));
        await stream.WriteAsync(packet, cancellationToken);
        byte[] header = new byte[HeaderBytes];
        PacketId answer;
        do
        {
            await stream.ReadExactlyAsync(header, cancellationToken);
            answer = (PacketId)BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(4));
            int rest = BinaryPrimitives.ReadInt32BigEndian(header) + sizeof(int) - HeaderBytes;
            await stream.ReadExactlyAsync(new byte[rest], cancellationToken);
        }
        while (BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(6)) != Handshake.RequestId);
        if (answer == PacketId.SErrorNtf)
        {
            throw new RunFailedException($"The server refused a silent client's {id}.");
        }
    }
}
