using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>Generated input. The seed is new in every run and stands in the message of a failure.</summary>
public sealed class RandomFrameTests
{
    private const int MalformedInputs = 1_000_000;

    private readonly int _seed = Environment.TickCount;

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void What_was_encoded_is_decoded(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        var random = new Random(_seed);
        for (int round = 0; round < 2_000; round++)
        {
            var bytes = new List<byte>();
            var expected = new List<ReceivedFrame>();
            for (int i = random.Next(8); i >= 0; i--)
            {
                var header = new FrameHeader((ushort)random.Next(65_536), (ushort)random.Next(65_536), (ushort)random.Next(65_536));
                byte[] body = RandomBody(format, random);
                bytes.AddRange(WireFormats.Encode(format, body, header));
                expected.Add(ReceivedFrame.Of(WireFormats.Carried(format, header), body));
            }

            var sink = new RecordingSink();
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes.ToArray(), RandomCuts(bytes.Count, random));
            FrameBatch batch = format.DecodeBatch(in buffer, 0, sink);

            Assert.True(
                batch.ConsumedBytes == buffer.Length && expected.SequenceEqual(sink.Frames),
                $"Seed {_seed}, round {round}: {batch}, {buffer.Length} bytes, {expected.Count} frames encoded, {sink.Frames.Count} "
                    + $"decoded.");
        }
    }

    [Theory]
    [MemberData(nameof(WireFormats.Names), MemberType = typeof(WireFormats))]
    public void Malformed_input_never_throws_and_is_judged_alike_in_one_segment_and_in_several(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        var random = new Random(_seed);
        byte[] scratch = new byte[64];
        int inputs = MalformedInputs / WireFormats.Names.Count;
        for (int input = 0; input < inputs; input++)
        {
            Memory<byte> bytes = scratch.AsMemory(0, random.Next(1, scratch.Length));
            FillMalformed(format, random, bytes.Span);
            var contiguous = new ReadOnlySequence<byte>(bytes);
            ReadOnlySequence<byte> segmented = Segments.Cut(bytes, RandomCuts(bytes.Length, random));
            int offset = random.Next(4) == 0 ? random.Next(bytes.Length + 1) : 0;
            var one = new CheckingSink(format);
            var several = new CheckingSink(format);
            try
            {
                FrameBatch first = format.DecodeBatch(in contiguous, offset, one);
                FrameBatch second = format.DecodeBatch(in segmented, offset, several);

                bool alike = name == "raw"
                    ? one.Bytes == several.Bytes && first.ConsumedBytes == second.ConsumedBytes
                    : first == second && one.Digest == several.Digest;
                bool inside = first.ConsumedBytes >= offset + one.Bytes && first.ConsumedBytes <= bytes.Length
                    && first.Verdict == FrameVerdict.Continue && first.Status != DecodeStatus.Frame && first.MissingBytes >= 0;
                if (!alike || !inside || one.Broken || several.Broken)
                {
                    Assert.Fail($"{first} in one segment, {second} in several, from {offset} of {bytes.Length} bytes.");
                }
            }
            catch (Exception fault)
            {
                throw new InvalidOperationException($"Seed {_seed}, input {input}: {Convert.ToHexString(bytes.Span)}", fault);
            }
        }
    }

    private static byte[] RandomBody(FrameFormat format, Random random)
    {
        byte[] body = new byte[random.Next(format.MaxBodyBytes + 1)];
        random.NextBytes(body);
        if (format.Name == "line")
        {
            // A line feed cannot be sent, and a carriage return at the end does not survive.
            body.AsSpan().Replace((byte)'\n', (byte)' ');
            body.AsSpan().Replace((byte)'\r', (byte)' ');
        }

        return body;
    }

    private static int[] RandomCuts(int bytes, Random random)
    {
        int[] cuts = new int[random.Next(4)];
        for (int i = 0; i < cuts.Length; i++)
        {
            cuts[i] = random.Next(bytes + 1);
        }

        Array.Sort(cuts);
        return cuts;
    }

    /// <summary>Good frames with some bytes changed, or noise whose bytes are small, so that lengths are often nearly right.</summary>
    private static void FillMalformed(FrameFormat format, Random random, Span<byte> bytes)
    {
        random.NextBytes(bytes);
        if (random.Next(2) == 0)
        {
            foreach (ref byte value in bytes)
            {
                value = (byte)(value < 200 ? value % 24 : value);
            }

            return;
        }

        int written = 0;
        while (true)
        {
            int body = random.Next(format.MaxBodyBytes + 1);
            if (written + format.GetEncodedBytes(body) > bytes.Length)
            {
                break;
            }

            format.WriteHeader(bytes[written..], new FrameHeader(1, 2, 3), body);
            format.WriteTrailer(bytes[(written + format.HeaderBytes + body)..]);
            written += Math.Max(1, format.GetEncodedBytes(body));
        }

        for (int changes = random.Next(3); changes > 0; changes--)
        {
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
        }
    }

    /// <summary>Reads every frame without keeping anything.</summary>
    private sealed class CheckingSink(FrameFormat format) : IFrameSink
    {
        private readonly byte[] _body = new byte[format.MaxBodyBytes];
        private HashCode _hash;

        public long Bytes { get; private set; }

        public bool Broken { get; private set; }

        public int Digest => _hash.ToHashCode();

        public FrameVerdict OnFrame(in Frame frame)
        {
            Broken |= frame.BodyBytes < 0 || frame.BodyBytes > format.MaxBodyBytes;
            frame.CopyTo(_body);
            _hash.Add(frame.Header);
            _hash.AddBytes(_body.AsSpan(0, frame.BodyBytes));
            Bytes += frame.BodyBytes;
            return FrameVerdict.Continue;
        }
    }
}
