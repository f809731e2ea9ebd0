namespace PlayChat.Benchmark.Foreign;

/// <summary>What every mode has in common: it counts, and flushes once for all frames of one read.</summary>
internal abstract class DotNettyHandler(BaselineCounters counters) : ChannelHandlerAdapter
{
    private long _bytes; // of the frames since the last read was complete

    protected BaselineCounters Counters { get; } = counters;

    protected int Frames { get; private set; }

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
        Frames++;
        OnFrame(context, frame);
    }

    public override void ChannelReadComplete(IChannelHandlerContext context)
    {
        OnReadComplete(context);
        Counters.OnReceived(_bytes, Frames);
        (_bytes, Frames) = (0, 0);
        context.Flush();
    }

    public override void ExceptionCaught(IChannelHandlerContext context, Exception exception) => _ = context.CloseAsync();

    /// <summary>Handles a frame, header included, and owns it.</summary>
    protected abstract void OnFrame(IChannelHandlerContext context, IByteBuffer frame);

    /// <summary>Called after the last frame of a read, before the flush.</summary>
    protected virtual void OnReadComplete(IChannelHandlerContext context) { }
}

internal sealed class DotNettyEcho(BaselineCounters counters) : DotNettyHandler(counters)
{
    protected override void OnFrame(IChannelHandlerContext context, IByteBuffer frame)
    {
        Counters.OnEchoed(1);
        Counters.OnSent(frame.ReadableBytes, operations: 0); // DotNetty gathers on its own
        _ = context.WriteAsync(frame);
    }
}

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

/// <summary>Answers logins and echo requests of the chat protocol, with protobuf and request ids.</summary>
internal sealed class DotNettyPackets(BaselineCounters counters) : DotNettyHandler(counters)
{
    private const int LengthBytes = 4;
    private const int HeaderBytes = 8; // length, packet id, request id; proto/PROTOCOL.md, "Framing"

    protected override void OnFrame(IChannelHandlerContext context, IByteBuffer frame)
    {
        int start = frame.ReaderIndex;
        var id = (PacketId)frame.GetUnsignedShort(start + LengthBytes);
        ushort requestId = frame.GetUnsignedShort(start + LengthBytes + sizeof(ushort));
        ReadOnlySpan<byte> body = frame.GetIoBuffer(start + HeaderBytes, frame.ReadableBytes - HeaderBytes);
        (PacketId answerId, IMessage answer) = id switch
        {
            PacketId.CEchoReq => (PacketId.SEchoRes, (IMessage)new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(body).Payload }),
            PacketId.CLoginReq => (PacketId.SLoginRes, new SLoginRes { Name = CLoginReq.Parser.ParseFrom(body).Name }),
            _ => throw new InvalidOperationException("The baseline answers logins and echo requests only."),
        };
        frame.Release();
        int bytes = answer.CalculateSize();
        IByteBuffer packet = context.Allocator.Buffer(HeaderBytes + bytes);
        packet.WriteInt(HeaderBytes - LengthBytes + bytes);
        packet.WriteUnsignedShort((ushort)answerId);
        packet.WriteUnsignedShort(requestId);
        answer.WriteTo(packet.GetIoBuffer(packet.WriterIndex, bytes).AsSpan());
        packet.SetWriterIndex(packet.WriterIndex + bytes);
        Counters.OnEchoed(1);
        Counters.OnSent(HeaderBytes + bytes, operations: 0); // DotNetty gathers on its own
        _ = context.WriteAsync(packet);
    }
}
