using Google.Protobuf;

namespace PlayChat.Benchmark.Echo;

/// <summary>
/// The bodies of an echo run: all are one template, but for the message's number at the payload's front, so a whole answer is
/// verified by one comparison of spans. Immutable and thread-safe.
/// </summary>
internal sealed class EchoCodec
{
    private const int NumberBytes = sizeof(long);

    // In front of the largest payload: the field's tag, and its length in three bytes.
    private const int ProtobufBytes = 4;

    private readonly byte[] _body;
    private readonly int _payloadOffset;
    private readonly int _numberBytes; // payloads shorter than a number carry its low bytes

    public EchoCodec(EchoSettings settings)
    {
        UsesRequestIds = settings.Framing is EchoFraming.Packet or EchoFraming.Request;
        Format = UsesRequestIds ? FrameFormat.Packet(ChatLimits.DefaultMaxClientFrameBytes) : FrameFormat.LengthPrefixed();
        int largest = Format.MaxBodyBytes - (UsesRequestIds ? ProtobufBytes : 0);
        UsageException.Unless(
            settings.PayloadBytes <= largest,
            $"--size {settings.PayloadBytes} is over the limit of --framing {settings.Framing.ToString().ToLowerInvariant()}: at most "
            + $"{largest} bytes.");
        byte[] payload = new byte[settings.PayloadBytes];
        new Random(settings.PayloadBytes).NextBytes(payload);
        _body = UsesRequestIds ? new CEchoReq { Payload = ByteString.CopyFrom(payload) }.ToByteArray() : payload;
        _payloadOffset = _body.Length - payload.Length;
        _numberBytes = Math.Min(NumberBytes, payload.Length);
    }

    public FrameFormat Format { get; }

    /// <summary>Whether answers name their request; else they come in the order of the requests.</summary>
    public bool UsesRequestIds { get; }

    /// <summary>Length of every request's, and every answer's, body.</summary>
    public int BodyBytes => _body.Length;

    /// <summary>What stands beside a request's body.</summary>
    /// <param name="slot">Which of the connection's outstanding requests it is, from 0.</param>
    public FrameHeader Header(int slot) => UsesRequestIds ? new FrameHeader((ushort)PacketId.CEchoReq, (ushort)(slot + 1)) : default;

    public void Write(Span<byte> destination, long number)
    {
        _body.CopyTo(destination);
        WriteNumber(destination.Slice(_payloadOffset, _numberBytes), number);
    }

    /// <summary>Whether a body is the answer to the request with a number: every byte is compared.</summary>
    public bool IsAnswer(ReadOnlySpan<byte> body, long number)
    {
        if (body.Length != _body.Length)
        {
            return false;
        }

        Span<byte> expected = stackalloc byte[NumberBytes];
        expected = expected[.._numberBytes];
        WriteNumber(expected, number);
        int behind = _payloadOffset + _numberBytes;
        return body.Slice(_payloadOffset, _numberBytes).SequenceEqual(expected)
            && body[.._payloadOffset].SequenceEqual(_body.AsSpan(0, _payloadOffset))
            && body[behind..].SequenceEqual(_body.AsSpan(behind));
    }

    private static void WriteNumber(Span<byte> destination, long number)
    {
        Span<byte> bytes = stackalloc byte[NumberBytes];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, number);
        bytes[..destination.Length].CopyTo(destination);
    }
}
