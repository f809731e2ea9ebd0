using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.DotNetty;

/// <summary>What every mode has in common: it counts, and flushes once for all frames of one read.</summary>
internal abstract class DotNettyHandler(BaselineCounters counters) : ChannelHandlerAdapter
{
    private long _bytes; // of the frames since the last read was complete
    private int _frames;

    protected BaselineCounters Counters { get; } = counters;

    /// <summary>The frames of the read so far.</summary>
    protected int Frames => _frames;

    public override void ChannelActive(IChannelHandlerContext context)
    {
        Counters.OnAccepted();
        base.ChannelActive(context);
    }

    public override void ChannelInactive(IChannelHandlerContext context)
    {
        Counters.OnClosed();
        base.ChannelInactive(context);
    }

    public override void ChannelRead(IChannelHandlerContext context, object message)
    {
        var frame = (IByteBuffer)message;
        _bytes += frame.ReadableBytes;
        _frames++;
        OnFrame(context, frame);
    }

    public override void ChannelReadComplete(IChannelHandlerContext context)
    {
        OnReadComplete(context);
        Counters.OnReceived(_bytes, _frames);
        (_bytes, _frames) = (0, 0);
        context.Flush();
    }

    public override void ExceptionCaught(IChannelHandlerContext context, Exception exception)
    {
        _ = context.CloseAsync();
    }

    /// <summary>Handles a frame, header included, and owns it.</summary>
    protected abstract void OnFrame(IChannelHandlerContext context, IByteBuffer frame);

    /// <summary>Called after the last frame of a read, before the flush.</summary>
    protected virtual void OnReadComplete(IChannelHandlerContext context)
    {
    }
}
