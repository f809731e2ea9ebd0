using System.Buffers;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// What a turn sends. Each member gets it in the order of these calls, whichever of them they are.
public abstract partial class Room
{
    private readonly List<Segment> _blocks = []; // what this turn broadcasts, put together once for all members
    private readonly List<int> _blockFrames = [];
    private readonly List<int> _blockLoose = []; // how many of _loose are before each block
    private readonly List<LooseFrame> _loose = []; // frames in the blocks that a slow member may lose
    private readonly List<Connection> _touched = []; // who got something of his own in this turn
    private Segment? _few; // frames for some members only
    private int _lastBroadcastBytes;

    /// <summary>Queues a frame for every member; the body is copied, once for all of them.</summary>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">What the format writes beside it.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void Broadcast(ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default)
    {
        Span<byte> destination = BeginBroadcast(header, body.Length);
        body.CopyTo(destination);
        EndBroadcast(destination, delivery);
    }

    /// <summary>Queues a frame for every member; it is encoded in place, once for all of them.</summary>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void Broadcast<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        Span<byte> destination = BeginBroadcast(header, bodyBytes);
        write(destination, state);
        EndBroadcast(destination, delivery);
    }

    /// <summary>Queues a frame for every member but one, such as who caused it; the body is copied, once for all of them.</summary>
    /// <param name="except">Who does not get it. When it is no member, all members get it.</param>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">What the format writes beside it.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void BroadcastExcept(Session except, ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(except);
        Span<byte> destination = BeginBroadcast(header, body.Length);
        body.CopyTo(destination);
        EndBroadcastExcept(except, destination, delivery);
    }

    /// <summary>Queues a frame for every member but one; it is encoded in place, once for all of them.</summary>
    /// <param name="except">Who does not get it. When it is no member, all members get it.</param>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void BroadcastExcept<TState>(
        Session except, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(except);
        ArgumentNullException.ThrowIfNull(write);
        Span<byte> destination = BeginBroadcast(header, bodyBytes);
        write(destination, state);
        EndBroadcastExcept(except, destination, delivery);
    }

    /// <summary>Queues a frame for some sessions, such as a team; the body is copied, once for all of them.</summary>
    /// <param name="to">Who gets it, members or not; read during the call. Who is in it twice gets it twice.</param>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">What the format writes beside it.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void BroadcastTo(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default)
    {
        if (to.IsEmpty)
        {
            return;
        }

        Span<byte> destination = BeginFew(header, body.Length);
        body.CopyTo(destination);
        EndFew(to, destination, delivery);
    }

    /// <summary>Queues a frame for some sessions; it is encoded in place, once for all of them.</summary>
    /// <param name="to">Who gets it, members or not; read during the call. Who is in it twice gets it twice.</param>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void BroadcastTo<TState>(
        ReadOnlySpan<Session> to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        if (to.IsEmpty)
        {
            return;
        }

        Span<byte> destination = BeginFew(header, bodyBytes);
        write(destination, state);
        EndFew(to, destination, delivery);
    }

    /// <summary>Queues a frame for one session, a member or not; it goes out when the turn ends, with what the turn broadcasts.</summary>
    /// <param name="to">Who gets it.</param>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span; short, and without calls back into PlayChat: the queue may be locked meanwhile.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected bool Send<TState>(
        Session to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(to);
        ArgumentNullException.ThrowIfNull(write);
        CatchUp(to);
        _touched.Add(to.Connection);
        bool sent = to.Connection.Enqueue(header, bodyBytes, state, write, delivery);
        _turnBytes += bodyBytes;
        return sent;
    }

    private Span<byte> BeginBroadcast(FrameHeader header, int bodyBytes)
    {
        int bytes = EncodedBytes(bodyBytes);
        if (_blocks.Count == 0 || _blocks[^1].FreeBytes < bytes)
        {
            // As large as the last turn's: a busy room gets one block a turn, a quiet one a small one.
            _blocks.Add(_services.Pool.RentSegment(Math.Max(bytes, Math.Min(_lastBroadcastBytes, SegmentPool.ReceiveBytes))));
            _blockFrames.Add(0);
            _blockLoose.Add(_loose.Count);
        }

        return BeginFrame(_blocks[^1], header, bodyBytes);
    }

    private void EndBroadcast(ReadOnlySpan<byte> body, Delivery delivery)
    {
        int bytes = EndFrame(body);
        Segment block = _blocks[^1];
        if (!delivery.IsReliable)
        {
            _loose.Add(new LooseFrame(block.Written, bytes, _blockFrames[^1], delivery));
        }

        block.Written += bytes;
        _turnBytes += bytes;
        _blockFrames[^1]++;
    }

    private void EndBroadcastExcept(Session except, ReadOnlySpan<byte> body, Delivery delivery)
    {
        TurnPosition before = TurnEnd;
        EndBroadcast(body, delivery);
        if (_memberIndex.TryGetValue(except, out int member))
        {
            LeaveOut(member, before, TurnEnd);
        }
    }

    private Span<byte> BeginFew(FrameHeader header, int bodyBytes)
    {
        int bytes = EncodedBytes(bodyBytes);
        if (_few is null || _few.FreeBytes < bytes)
        {
            _few?.Release();
            _few = null;
            _few = _services.Pool.RentSegment(bytes);
        }

        return BeginFrame(_few, header, bodyBytes);
    }

    private void EndFew(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, Delivery delivery)
    {
        var frame = new LooseFrame(_few!.Written, EndFrame(body), 0, delivery);
        var frames = new SharedFrames(_few, frame.Start, frame.Bytes, 0, 1);
        ReadOnlySpan<LooseFrame> loose = delivery.IsReliable ? default : new ReadOnlySpan<LooseFrame>(in frame);
        _few.Written += frame.Bytes;
        _turnBytes += frame.Bytes;
        int delivered = 0;
        foreach (Session session in to)
        {
            ArgumentNullException.ThrowIfNull(session, nameof(to));
            CatchUp(session);
            _touched.Add(session.Connection);
            delivered += session.Connection.SendShared(in frames, loose, flush: false);
        }

        CountDeliveries(delivered);
    }

    private int EncodedBytes(int bodyBytes)
    {
        FrameFormat format = _services.Format;
        return (uint)bodyBytes <= (uint)format.MaxBodyBytes
            ? format.GetEncodedBytes(bodyBytes)
            : throw new ArgumentException($"A body of {bodyBytes} bytes does not fit this format: at most {format.MaxBodyBytes}.", nameof(bodyBytes));
    }

    private Span<byte> BeginFrame(Segment block, FrameHeader header, int bodyBytes)
    {
        FrameFormat format = _services.Format;
        Span<byte> frame = block.Free;
        format.WriteHeader(frame, header, bodyBytes);
        format.WriteTrailer(frame[(format.HeaderBytes + bodyBytes)..]);
        return frame.Slice(format.HeaderBytes, bodyBytes);
    }

    /// <returns>How long the frame is.</returns>
    private int EndFrame(ReadOnlySpan<byte> body)
    {
        FrameFormat format = _services.Format;
        // A format with a delimiter cannot carry every body; the others are not asked.
        return format.TrailerBytes == 0 || format.CanCarry(body)
            ? format.GetEncodedBytes(body.Length)
            : throw new ArgumentException($"The body contains what ends a frame in the format '{format.Name}'.", nameof(body));
    }
}
