using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A byte stream that is cut into frames, and each frame's body decoded as its packet.</summary>
/// <param name="name">What a failure calls it.</param>
/// <param name="format">The framing.</param>
/// <param name="packets">Kinds of packets; null where frames carry anything.</param>
/// <param name="samples">Valid streams.</param>
internal sealed class StreamTarget(string name, FrameFormat format, PacketSet? packets, IReadOnlyList<byte[]> samples) : FuzzTarget(name)
{
    // The raw format has no boundaries: how many frames there are depends on the pieces, but their bytes do not.
    private readonly bool _hasBoundaries = name != "raw";

    public override IReadOnlyList<byte[]> Samples => samples;

    public override string? Check(FuzzInput input)
    {
        Reading whole = Read(new ReadOnlySequence<byte>(input.Within(0x00)));
        if (whole.ConsumedBytes < 0 || whole.ConsumedBytes > input.Bytes.Length || whole.BodyBytes > whole.ConsumedBytes)
        {
            return $"consumed {whole} of {input.Bytes.Length} bytes";
        }

        if (whole.Status == DecodeStatus.Frame)
        {
            return $"ended with {whole}";
        }

        Note(accepted: whole.Good > 0, refused: whole.Bad > 0 || whole.Status != DecodeStatus.NeedMoreData);
        Reading elsewhere = Read(new ReadOnlySequence<byte>(input.Within(0xFF)));
        Reading segmented = Read(Segmented(input));
        Reading inTime = ReadInTime(input);
        return elsewhere != whole ? $"read beyond its input: {whole}, {elsewhere}"
            : segmented != whole ? $"{whole} in one segment, {segmented} in several"
            : inTime != whole ? $"{whole} at once, {inTime} one piece after the other"
            : null;
    }

    private static ReadOnlySequence<byte> Segmented(FuzzInput input) => SegmentedBytes.Of(input.Pieces());

    private Reading Read(ReadOnlySequence<byte> input)
    {
        var decoder = new Decoder(packets, _hasBoundaries);
        (long consumed, DecodeStatus status) = FrameScan.ReadAll(format, input, decoder.Visit);
        return decoder.End(consumed, status);
    }

    // As a connection does: what is not a whole frame stays, and what arrives next is appended.
    private Reading ReadInTime(FuzzInput input)
    {
        var decoder = new Decoder(packets, _hasBoundaries);
        var arrived = new List<byte>(input.Bytes.Length);
        long total = 0;
        DecodeStatus status = DecodeStatus.NeedMoreData;
        foreach (ReadOnlyMemory<byte> piece in input.Pieces())
        {
            arrived.AddRange(piece.Span);
            (long consumed, status) = FrameScan.ReadAll(format, new ReadOnlySequence<byte>(arrived.ToArray()), decoder.Visit);
            arrived.RemoveRange(0, (int)consumed);
            total += consumed;
            if (status != DecodeStatus.NeedMoreData)
            {
                break;
            }
        }

        return decoder.End(total, status);
    }

    private readonly record struct Reading(long ConsumedBytes, DecodeStatus Status, long BodyBytes, int Good, int Bad, ulong Digest);

    private sealed class Decoder(PacketSet? packets, bool hasBoundaries)
    {
        private Digest _digest = new();
        private long _bodyBytes;
        private int _good;
        private int _bad;

        public void Visit(in Frame frame)
        {
            ReadOnlySpan<byte> body = frame.ToArray();
            _bodyBytes += body.Length;
            if (hasBoundaries)
            {
                _digest.Add(frame.Header.PacketId);
                _digest.Add(frame.Header.RequestId);
                _digest.Add(frame.Header.SenderId);
                _digest.Add(body.Length);
            }

            _digest.Add(body);
            if (packets is null)
            {
                _good += hasBoundaries ? 1 : 0; // counted to compare; the raw format has as many as there are pieces
            }
            else if (packets.Find(frame.Header.PacketId) is { } type)
            {
                object? message = type.Decode(in frame);
                _good += message is null ? 0 : 1;
                _bad += message is null ? 1 : 0;
                _digest.Add(MessageBytes.Of(message));
            }
        }

        public Reading End(long consumed, DecodeStatus status) => new(consumed, status, _bodyBytes, _good, _bad, _digest.Value);
    }
}
