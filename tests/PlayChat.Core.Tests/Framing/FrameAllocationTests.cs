using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Framing;

/// <summary>Nothing is allocated for a frame.</summary>
public sealed class FrameAllocationTests
{
    private const int Frames = 10_000;

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_batch_of_ten_thousand_frames_allocates_nothing(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        byte[] frame = WireFormats.Encode(format, "12345678"u8);
        byte[] bytes = Enumerable.Repeat(frame, Frames).SelectMany(value => value).ToArray();
        ReadOnlySequence<byte> contiguous = new(bytes);
        ReadOnlySequence<byte> segmented = Segments.Cut(bytes, Enumerable.Range(1, bytes.Length / 100).Select(i => i * 100).ToArray());
        var sink = new SummingSink();
        Decode(); // the first call loads and compiles

        Assert.Equal(0, AllocatedBytes.Least(Decode));
        Assert.Equal(2L * Frames * 8, sink.Bytes);

        void Decode()
        {
            sink.Bytes = 0;
            format.DecodeBatch(in contiguous, 0, sink);
            format.DecodeBatch(in segmented, 0, sink);
        }
    }

    private sealed class SummingSink : IFrameSink
    {
        private readonly byte[] _copy = new byte[8];

        public long Bytes { get; set; }

        public FrameVerdict OnFrame(in Frame frame)
        {
            frame.CopyTo(_copy);
            Bytes += frame.BodyBytes;
            return FrameVerdict.Continue;
        }
    }
}
