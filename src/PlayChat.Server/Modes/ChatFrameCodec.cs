using System.Buffers;
using System.Buffers.Binary;
using PlayChat.Core.Framing;
using PlayChat.Protocol;

namespace PlayChat.Server.Modes;

/// <summary>The packet form of proto/PROTOCOL.md with two limits: a client may send less than the server, whose member lists can be long.</summary>
/// <param name="maxClientFrameBytes">Largest value of the length field that is taken.</param>
internal readonly struct ChatFrameCodec(int maxClientFrameBytes) : IFrameCodec
{
    private const int LengthBytes = 4;
    private const int MinLength = 4; // packet id and request id
    private const int HeadBytes = LengthBytes + MinLength;

    /// <inheritdoc/>
    public string Name => "packet";

    /// <inheritdoc/>
    public int MaxFrameBytes => ChatLimits.MaxServerFrameBytes;

    /// <inheritdoc/>
    public int MaxBodyBytes => ChatLimits.MaxServerFrameBytes - MinLength;

    /// <inheritdoc/>
    public int HeaderBytes => HeadBytes;

    /// <inheritdoc/>
    public int TrailerBytes => 0;

    /// <inheritdoc/>
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input, input.Length, out header, out bounds);

    /// <inheritdoc/>
    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds)
    {
        Span<byte> head = stackalloc byte[HeadBytes];
        int headBytes = (int)Math.Min(input.Length, HeadBytes);
        input.Slice(0, headBytes).CopyTo(head);
        return Judge(head[..headBytes], input.Length, out header, out bounds);
    }

    /// <inheritdoc/>
    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    /// <inheritdoc/>
    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
        BinaryPrimitives.WriteUInt16BigEndian(destination[6..], header.RequestId);
        BinaryPrimitives.WriteUInt16BigEndian(destination[4..], header.PacketId);
        BinaryPrimitives.WriteInt32BigEndian(destination, MinLength + bodyBytes);
    }

    /// <inheritdoc/>
    public void WriteTrailer(Span<byte> destination)
    {
    }

    private DecodeStatus Judge(ReadOnlySpan<byte> head, long availableBytes, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        bounds = new FrameBounds(0, 0, HeadBytes);
        if (head.Length < LengthBytes)
        {
            return DecodeStatus.NeedMoreData;
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(head);
        if (length < MinLength)
        {
            return DecodeStatus.Malformed;
        }

        if (length > (uint)maxClientFrameBytes)
        {
            return DecodeStatus.TooLarge;
        }

        bounds = new FrameBounds(HeadBytes, (int)length - MinLength, LengthBytes + (int)length);
        if (availableBytes < bounds.FrameBytes)
        {
            return DecodeStatus.NeedMoreData;
        }

        header = new FrameHeader(BinaryPrimitives.ReadUInt16BigEndian(head[4..]), BinaryPrimitives.ReadUInt16BigEndian(head[6..]));
        return DecodeStatus.Frame;
    }
}
