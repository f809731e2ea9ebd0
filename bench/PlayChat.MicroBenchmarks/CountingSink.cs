using System.Runtime.CompilerServices;
using PlayChat.Core.Framing;

namespace PlayChat.MicroBenchmarks;

/// <summary>The least a handler can do. Not inlined, as a handler's work is not, either.</summary>
internal sealed class CountingSink : IFrameSink
{
    private long _bytes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public FrameVerdict OnFrame(in Frame frame)
    {
        _bytes += frame.BodyBytes;
        return FrameVerdict.Continue;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void OnBody(ReadOnlySpan<byte> body) => _bytes += body.Length;
}
