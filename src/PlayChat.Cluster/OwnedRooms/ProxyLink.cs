using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The link of a member's connection at the owner of a room in a cluster: what is sent on it goes to the member's node, and
/// closing it closes the member's connection there. Both stay behind what the room has sent before.</summary>
/// <remarks>Its connection uses <see cref="FrameFormat.Packet"/>, whatever the clients use, so that the link can read the frames. Nothing
/// is received on it.</remarks>
internal sealed class ProxyLink(long sessionId, OwnedRoom owned) : TransportConnection
{
    private const int HeaderBytes = 8; // length (4), packet id (2), request id (2)

    private int _endReason;

    public override EndPoint? RemoteEndPoint => null;

    public override EndPoint? LocalEndPoint => null;

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => new(0);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        Forward(buffer.Span);
        return new(true);
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        // A frame may lie in two buffers.
        Forward(buffers.SelectMany(static buffer => buffer).ToArray());
        return new(true);
    }

    public override void Shutdown() => End(CloseReason.LocalClose);

    public override void Abort() => End(CloseReason.LocalClose);

    internal override void Shutdown(CloseReason reason) => End(reason);

    protected override void Dispose(bool disposing)
    {
    }

    private void Forward(ReadOnlySpan<byte> frames)
    {
        while (frames.Length >= HeaderBytes)
        {
            int bodyBytes = BinaryPrimitives.ReadInt32BigEndian(frames) - (HeaderBytes - sizeof(int));
            var header = new FrameHeader(
                BinaryPrimitives.ReadUInt16BigEndian(frames[4..]), BinaryPrimitives.ReadUInt16BigEndian(frames[6..]));
            if (owned.HasPlaceFor(bodyBytes))
            {
                var record = new MemoryStream();
                using var writer = new BinaryWriter(record);
                writer.Write((byte)ClusterOutputKind.ToSome);
                writer.Write(1);
                writer.Write(sessionId);
                ClusterOutbox.WriteFrame(writer, header, Delivery.Reliable, frames.Slice(HeaderBytes, bodyBytes));
                owned.Publish(record);
            }

            frames = frames[(HeaderBytes + bodyBytes)..];
        }
    }

    private void End(CloseReason reason)
    {
        if (Interlocked.CompareExchange(ref _endReason, (int)reason, 0) == 0)
        {
            var record = new MemoryStream();
            using var writer = new BinaryWriter(record);
            writer.Write((byte)ClusterOutputKind.Close);
            writer.Write(sessionId);
            writer.Write((int)reason);
            owned.Publish(record);
        }
    }
}
