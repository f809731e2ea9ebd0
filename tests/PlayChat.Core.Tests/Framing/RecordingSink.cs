using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>Keeps a copy of every frame, and checks that every way to read the body gives the same bytes.</summary>
internal sealed class RecordingSink : IFrameSink
{
    public List<ReceivedFrame> Frames { get; } = [];

    /// <summary>How many of the bodies were contiguous.</summary>
    public int Spans { get; private set; }

    /// <summary>The answer to the frame with this index; Continue unless set.</summary>
    public Func<int, FrameVerdict> Verdict { get; init; } = static _ => FrameVerdict.Continue;

    public FrameVerdict OnFrame(in Frame frame)
    {
        byte[] body = frame.ToArray();
        Assert.Equal(frame.BodyBytes, body.Length);
        Assert.Equal(body, frame.Body.ToArray());
        if (frame.TryGetSpan(out ReadOnlySpan<byte> span))
        {
            Spans++;
            Assert.True(span.SequenceEqual(body));
        }

        Frames.Add(ReceivedFrame.Of(frame.Header, body));
        return Verdict(Frames.Count - 1);
    }
}
