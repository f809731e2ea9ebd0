using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.DotNetty;

/// <summary>Passes the frames of one read on to the members of its room together.</summary>
internal sealed class DotNettyMember(DotNettyRoom room, BaselineCounters counters) : DotNettyHandler(counters)
{
    private CompositeByteBuffer? _read; // the frames of the present read

    public override void ChannelActive(IChannelHandlerContext context)
    {
        room.Enter(context.Channel);
        base.ChannelActive(context);
    }

    public override void ChannelInactive(IChannelHandlerContext context)
    {
        room.Leave(context.Channel);
        base.ChannelInactive(context);
    }

    protected override void OnFrame(IChannelHandlerContext context, IByteBuffer frame)
    {
        _read ??= context.Allocator.CompositeBuffer(int.MaxValue);
        _read.AddComponent(true, frame);
    }

    protected override void OnReadComplete(IChannelHandlerContext context)
    {
        if (_read is { } read)
        {
            _read = null;
            room.Broadcast(read, Frames);
        }
    }
}
