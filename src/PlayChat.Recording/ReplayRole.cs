using PlayChat.Core.Connections;

namespace PlayChat.Recording;

/// <summary>What a room is in a replay: itself, but what it sends goes nowhere.</summary>
/// <param name="isClustered">Whether a cluster shared it.</param>
internal sealed class ReplayRole(bool isClustered) : RoomRole
{
    internal override bool IsClustered => isClustered;

    internal override RoomUplink CreateUplink(RoomServices services) => new ReplayUplink(services.Format);

    /// <summary>Takes what a room sends in a replay; its tape has seen it.</summary>
    private sealed class ReplayUplink(FrameFormat format) : RoomUplink
    {
        private byte[] _body = new byte[1024];

        internal override bool HasFrames => false;

        internal override bool MustHold() => false;

        internal override Span<byte> Begin(FrameHeader header, int bodyBytes)
        {
            RoomFrames.GetEncodedBytes(format, bodyBytes); // throws for a body that is too large, as when it was recorded
            if (_body.Length < bodyBytes)
            {
                _body = new byte[Math.Max(bodyBytes, _body.Length * 2)];
            }

            return _body.AsSpan(0, bodyBytes);
        }

        internal override int EndBroadcast(ReadOnlySpan<byte> body, Delivery delivery, Session? except) => RoomFrames.End(format, body);

        internal override int EndDirect(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, Delivery delivery) =>
            RoomFrames.End(format, body);

        internal override void Flush()
        {
        }
    }
}
