namespace PlayChat.Core.Rooms;

/// <summary>The frames that a turn broadcasts, encoded once into blocks that the outbound queues of all members share.</summary>
/// <remarks>
/// <para>Invariant: <c>_blocks</c>, <c>_frames</c> and <c>_looseBefore</c> have one entry for each block. <c>_loose</c> lists the frames
/// that a slow member may lose, in the order of the blocks. The struct holds each block until <see cref="Clear"/>; only the last block is
/// written to.</para>
/// <para>A mutable struct, so that a delivery reads no further object: embed it and never copy it. Only the room's turn uses it.</para>
/// </remarks>
internal struct TurnBlocks
{
    private readonly FrameFormat _format;
    private readonly SegmentPool _pool;
    private readonly List<Segment> _blocks = [];
    private readonly List<int> _frames = [];
    private readonly List<int> _looseBefore = [];
    private readonly List<LooseFrame> _loose = [];
    private int _lastTurnBytes;

    internal TurnBlocks(FrameFormat format, SegmentPool pool)
    {
        _format = format;
        _pool = pool;
    }

    internal readonly bool IsEmpty => _blocks.Count == 0;

    /// <summary>Whether a slow member may lose some of the frames.</summary>
    internal readonly bool HasLoose => _loose.Count > 0;

    /// <summary>The position behind the last frame.</summary>
    internal readonly TurnPosition End =>
        _blocks.Count == 0 ? default : new TurnPosition(_blocks.Count - 1, _blocks[^1].Written, _frames[^1], _loose.Count);

    /// <summary>
    /// Begins a frame. The caller writes its body and calls <see cref="EndFrame"/>; until then the frame is not part of a block.
    /// </summary>
    /// <returns>The memory for the body.</returns>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    internal readonly Span<byte> BeginFrame(FrameHeader header, int bodyBytes)
    {
        int bytes = RoomFrames.GetEncodedBytes(_format, bodyBytes);
        if (_blocks.Count == 0 || _blocks[^1].FreeBytes < bytes)
        {
            // As large as the last turn's blocks: a busy room gets one block a turn, a quiet room a small one.
            _blocks.Add(_pool.RentSegment(Math.Max(bytes, Math.Min(_lastTurnBytes, SegmentPool.ReceiveBytes))));
            _frames.Add(0);
            _looseBefore.Add(_loose.Count);
        }

        return RoomFrames.Begin(_format, _blocks[^1], header, bodyBytes);
    }

    /// <summary>Adds the frame whose body has been written.</summary>
    /// <returns>The encoded length of the frame, in bytes.</returns>
    /// <exception cref="ArgumentException">The format cannot carry this body.</exception>
    internal readonly int EndFrame(ReadOnlySpan<byte> body, Delivery delivery)
    {
        int bytes = RoomFrames.End(_format, body);
        Segment block = _blocks[^1];
        if (!delivery.IsReliable)
        {
            _loose.Add(new LooseFrame(block.Written, bytes, _frames[^1], delivery));
        }

        block.Written += bytes;
        _frames[^1]++;
        return bytes;
    }

    /// <summary>Sends all blocks to a connection, whatever it may lose.</summary>
    /// <returns>The number of frames that its queue accepted.</returns>
    internal readonly int SendAll(Connection connection, bool flush)
    {
        ReadOnlySpan<Segment> blocks = CollectionsMarshal.AsSpan(_blocks);
        ReadOnlySpan<int> frames = CollectionsMarshal.AsSpan(_frames);
        int delivered = 0;
        for (int b = 0; b < blocks.Length; b++)
        {
            if (connection.SendShared(blocks[b], frames[b], flush && b == blocks.Length - 1))
            {
                delivered += frames[b];
            }
        }

        return delivered;
    }

    /// <summary>Sends the frames between two positions to a connection, which may lose those that allow it.</summary>
    /// <returns>The number of frames that its queue accepted.</returns>
    internal readonly int Send(Connection connection, TurnPosition from, TurnPosition to, bool flush)
    {
        ReadOnlySpan<LooseFrame> loose = CollectionsMarshal.AsSpan(_loose);
        int delivered = 0;
        for (int b = from.Block; b <= to.Block; b++)
        {
            bool isLast = b == to.Block;
            TurnPosition start = b == from.Block ? from : new TurnPosition(b, 0, 0, _looseBefore[b]);
            TurnPosition end = isLast ? to : new TurnPosition(b, _blocks[b].Written, _frames[b], _looseBefore[b + 1]);
            delivered += connection.SendShared(
                new SharedFrames(_blocks[b], start.Bytes, end.Bytes - start.Bytes, start.Frames, end.Frames - start.Frames),
                loose[start.Loose..end.Loose],
                flush && isLast);
        }

        return delivered;
    }

    /// <summary>Keeps the frames between two positions for a member that is away.</summary>
    internal readonly void Record(ReplayBuffer buffer, TurnPosition from, TurnPosition to)
    {
        ReadOnlySpan<LooseFrame> loose = CollectionsMarshal.AsSpan(_loose);
        for (int b = from.Block; b <= to.Block && b < _blocks.Count; b++)
        {
            TurnPosition start = b == from.Block ? from : new TurnPosition(b, 0, 0, _looseBefore[b]);
            TurnPosition end = b == to.Block ? to : new TurnPosition(b, _blocks[b].Written, _frames[b], _looseBefore[b + 1]);
            buffer.Add(
                new SharedFrames(_blocks[b], start.Bytes, end.Bytes - start.Bytes, start.Frames, end.Frames - start.Frames),
                loose[start.Loose..end.Loose]);
        }
    }

    /// <summary>Releases the blocks. The members' queues hold what they still have to send.</summary>
    internal void Clear()
    {
        _lastTurnBytes = 0;
        foreach (Segment block in _blocks)
        {
            _lastTurnBytes += block.Written;
            block.Release();
        }

        _blocks.Clear();
        _frames.Clear();
        _looseBefore.Clear();
        _loose.Clear();
    }
}
