namespace PlayChat.Core.Framing;

/// <summary>The decoding loop, which the runtime compiles anew for each struct codec: one virtual call a batch, none a frame.</summary>
/// <remarks>FramingBenchmarks watches it: a few nanoseconds a frame beyond the sink's own, and no allocation.</remarks>
internal sealed class FrameFormat<TCodec> : FrameFormat
    where TCodec : struct, IFrameCodec
{
    private readonly TCodec _codec;
    private readonly FrameFormat? _verbatim; // this, where a frame that was received is encoded just as it would be sent

    public FrameFormat(TCodec codec)
    {
        _codec = codec;
        Name = codec.ToString() ?? typeof(TCodec).Name;
        MaxFrameBytes = codec.MaxFrameBytes;
        MaxBodyBytes = codec.MaxBodyBytes;
        HeaderBytes = codec.HeaderBytes;
        TrailerBytes = codec.TrailerBytes;
        _verbatim = codec is PacketCodec or LengthPrefixCodec or SenderPrefixCodec ? this : null;
    }

    internal override string Name { get; }

    internal override bool HasHeartbeat => typeof(TCodec) == typeof(PacketCodec);

    internal override int MaxFrameBytes { get; }

    public override int MaxBodyBytes { get; }

    internal override int HeaderBytes { get; }

    internal override int TrailerBytes { get; }

    internal override bool CanCarry(ReadOnlySpan<byte> body) => body.Length <= MaxBodyBytes && _codec.CanCarry(body);

    internal override void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
        if ((uint)bodyBytes > (uint)MaxBodyBytes)
        {
            throw FrameLimits.BodyRefused(this, bodyBytes, nameof(bodyBytes));
        }

        _codec.WriteHeader(destination, header, bodyBytes);
    }

    internal override void WriteTrailer(Span<byte> destination) => _codec.WriteTrailer(destination);

    internal override FrameBatch DecodeBatch(in ReadOnlySequence<byte> buffer, long offset, IFrameSink sink)
    {
        // Copied: the sink is foreign code, after which the compiler would have to read the fields again.
        TCodec codec = _codec;
        var cursor = new SegmentCursor(in buffer);
        var data = new FrameData { Buffer = buffer, Sink = sink };
        var frame = new Frame(in data);
        int frames = 0;
        while (true)
        {
            ReadOnlySpan<byte> rest = cursor.From(offset);
            int arrayShift = (int)cursor.ArrayShift; // within one array
            FrameBounds bounds = default;
            data.Array = cursor.Array;
            data.Verbatim = data.Array is null ? null : _verbatim;
            while (!rest.IsEmpty)
            {
                DecodeStatus status = codec.TryDecode(rest, out FrameHeader header, out bounds);
                if (status != DecodeStatus.Frame)
                {
                    if (status != DecodeStatus.NeedMoreData)
                    {
                        return new FrameBatch(status, FrameVerdict.Continue, offset, frames, MissingBytes: 0);
                    }

                    break;
                }

                // A codec of an application may be wrong. Without this check, a frame of no bytes would be decoded again without end.
                if ((uint)(bounds.FrameBytes - 1) >= (uint)rest.Length
                    || (uint)bounds.BodyOffset > (uint)bounds.FrameBytes
                    || (uint)bounds.BodyBytes > (uint)(bounds.FrameBytes - bounds.BodyOffset))
                {
                    ThrowImpossible(bounds);
                }

                data.Header = header;
                data.BodyOffset = offset + bounds.BodyOffset;
                data.BodyStart = (int)data.BodyOffset + arrayShift;
                data.BodyBytes = bounds.BodyBytes;
                rest = rest[bounds.FrameBytes..];
                offset += bounds.FrameBytes;
                frames++;
                FrameVerdict verdict = sink.OnFrame(in frame);
                if (verdict != FrameVerdict.Continue)
                {
                    return new FrameBatch(DecodeStatus.Frame, verdict, offset, frames, MissingBytes: 0);
                }
            }

            if (cursor.IsLast)
            {
                // 0 where nothing is left, or where the codec does not know.
                int missing = rest.IsEmpty ? 0 : Math.Max(0, bounds.FrameBytes - rest.Length);
                return new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Continue, offset, frames, missing);
            }

            if (!rest.IsEmpty)
            {
                FrameBatch seam = DecodeAcrossSeam(in codec, ref data, ref cursor, offset);
                frames += seam.Frames;
                if (seam.Status != DecodeStatus.Frame || seam.Verdict != FrameVerdict.Continue)
                {
                    return seam with { Frames = frames };
                }

                offset = seam.ConsumedBytes;
            }
        }
    }

    /// <summary>Takes the one frame at <paramref name="offset"/>, which begins in the cursor's segment and is not whole there.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FrameBatch DecodeAcrossSeam(in TCodec codec, ref FrameData data, ref SegmentCursor cursor, long offset)
    {
        ReadOnlySequence<byte> rest = cursor.SequenceFrom(offset);
        DecodeStatus status = codec.TryDecode(in rest, out FrameHeader header, out FrameBounds bounds);
        if (status != DecodeStatus.Frame)
        {
            long missing = status == DecodeStatus.NeedMoreData ? Math.Max(0, bounds.FrameBytes - rest.Length) : 0;
            return new FrameBatch(status, FrameVerdict.Continue, offset, Frames: 0, (int)missing);
        }

        if (bounds.FrameBytes < 1 || bounds.FrameBytes > rest.Length
            || bounds.BodyOffset < 0 || bounds.BodyBytes < 0 || bounds.BodyOffset > rest.Length - bounds.BodyBytes)
        {
            ThrowImpossible(bounds);
        }

        // Often it is the header alone that is split, and the body is a plain span in the next segment.
        data.Header = header;
        data.BodyOffset = offset + bounds.BodyOffset;
        data.BodyBytes = bounds.BodyBytes;
        data.Verbatim = null;
        bool isWhole = cursor.From(data.BodyOffset).Length >= bounds.BodyBytes;
        data.Array = isWhole ? cursor.Array : null;
        data.BodyStart = isWhole ? (int)(data.BodyOffset + cursor.ArrayShift) : 0;
        FrameVerdict verdict = data.Sink!.OnFrame(new Frame(in data));
        return new FrameBatch(DecodeStatus.Frame, verdict, offset + bounds.FrameBytes, Frames: 1, MissingBytes: 0);
    }

    [DoesNotReturn]
    private static void ThrowImpossible(FrameBounds bounds) =>
        throw new InvalidOperationException($"The codec {typeof(TCodec).Name} reported a frame that is not in its input: {bounds}.");
}
