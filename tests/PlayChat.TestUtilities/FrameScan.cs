using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.TestUtilities;

/// <summary>Decodes bytes without a connection.</summary>
public static class FrameScan
{
    /// <summary>Hands every whole frame of <paramref name="input"/> to <paramref name="visit"/>.</summary>
    /// <returns>How many bytes were frames, and why it ended there.</returns>
    public static (long ConsumedBytes, DecodeStatus Status) ReadAll(FrameFormat format, ReadOnlySequence<byte> input, FrameVisitor visit)
    {
        FrameBatch batch = format.DecodeBatch(in input, offset: 0, new VisitingSink(visit));
        return (batch.ConsumedBytes, batch.Status);
    }

    /// <summary>A frame whose body is <paramref name="body"/>, in as many segments as that has.</summary>
    public static void VisitBody(ReadOnlySequence<byte> body, FrameVisitor visit)
    {
        FrameData data = FrameData.OfBody(in body);
        visit(new Frame(in data));
    }

    private sealed class VisitingSink(FrameVisitor visit) : IFrameSink
    {
        public FrameVerdict OnFrame(in Frame frame)
        {
            visit(in frame);
            return FrameVerdict.Continue;
        }
    }
}
