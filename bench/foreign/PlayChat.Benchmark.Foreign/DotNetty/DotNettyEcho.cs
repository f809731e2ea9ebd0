using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.DotNetty;

/// <summary>Sends each frame back.</summary>
internal sealed class DotNettyEcho(BaselineCounters counters) : DotNettyHandler(counters)
{
    protected override void OnFrame(IChannelHandlerContext context, IByteBuffer frame)
    {
        Counters.OnEchoed(1);
        Counters.OnSent(frame.ReadableBytes, operations: 0); // DotNetty gathers on its own
        _ = context.WriteAsync(frame);
    }
}
