using System.Buffers;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// Who is in the room, and how they are reached. All of it belongs to the turn.
public abstract partial class Room
{
    // Members flushed before other rooms get the thread: about half a millisecond of sends.
    private const int MembersPerSlice = 128;

    private readonly Dictionary<Session, int> _memberIndex = [];
    private readonly List<Segment> _blocks = []; // what this turn broadcasts, put together once for all members
    private readonly List<int> _blockFrames = [];
    private readonly List<Connection> _touched = []; // who got something of his own in this turn
    private Session[] _members = [];
    private Connection[] _links = []; // theirs, in the same places: a flush touches nothing else of a member
    private int _memberCount;
    private int _lastBroadcastBytes;
    private bool _queued; // members have something of this turn in their queues that is not flushed
    private bool _flushing;
    private int _flushNext;

    /// <summary>The members in no particular order; valid until the next <see cref="Enter"/> or <see cref="Leave"/>.</summary>
    protected ReadOnlySpan<Session> Members => _members.AsSpan(0, _memberCount);

    /// <summary>Whether a session is a member.</summary>
    protected bool Contains(Session session) => _memberIndex.ContainsKey(session);

    /// <summary>Makes a session a member. It gets what is broadcast from now on, nothing of before.</summary>
    /// <returns>Whether it is one now, or why not.</returns>
    protected EnterResult Enter(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (_removed)
        {
            return EnterResult.Removed;
        }

        if (_memberIndex.ContainsKey(session))
        {
            return EnterResult.AlreadyMember;
        }

        if (IsFull)
        {
            return EnterResult.Full;
        }

        if (!session.TryAttach(this))
        {
            return EnterResult.SessionEnded;
        }

        QueueBlocks();
        if (_memberCount == _members.Length)
        {
            Array.Resize(ref _members, Math.Max(4, _memberCount * 2));
            Array.Resize(ref _links, _members.Length);
        }

        _memberIndex[session] = _memberCount;
        _members[_memberCount] = session;
        _links[_memberCount] = session.Connection;
        Volatile.Write(ref _memberCount, _memberCount + 1);
        return EnterResult.Entered;
    }

    /// <summary>Ends a membership. What was broadcast before still reaches the session.</summary>
    /// <returns><see langword="false"/> when it was no member.</returns>
    protected bool Leave(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        return TakeOut(session) >= 0;
    }

    /// <summary>Where a member stands, or -1.</summary>
    private protected int PlaceOf(Session session) => _memberIndex.TryGetValue(session, out int index) ? index : -1;

    /// <summary>Ends a membership.</summary>
    /// <returns>Where it stood: the last member stands there now. -1 when it was no member.</returns>
    private protected int TakeOut(Session session)
    {
        int index = PlaceOf(session);
        if (index < 0)
        {
            return index;
        }

        QueueBlocks();
        _touched.Add(session.Connection); // no longer among those who are flushed as members
        _memberIndex.Remove(session);
        session.Detach(this);
        int last = _memberCount - 1;
        if (index != last)
        {
            _members[index] = _members[last];
            _links[index] = _links[last];
            _memberIndex[_members[index]] = index;
        }

        _members[last] = null!;
        _links[last] = null!;
        Volatile.Write(ref _memberCount, last);
        _mayBeEmpty = true;
        return index;
    }

    /// <summary>Queues a frame for every member; the body is copied, once for all of them.</summary>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void Broadcast(ReadOnlySpan<byte> body, FrameHeader header = default)
    {
        Span<byte> destination = BeginBroadcast(header, body.Length);
        body.CopyTo(destination);
        EndBroadcast(destination);
    }

    /// <summary>Queues a frame for every member; it is encoded in place, once for all of them.</summary>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    protected void Broadcast<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write)
    {
        ArgumentNullException.ThrowIfNull(write);
        Span<byte> destination = BeginBroadcast(header, bodyBytes);
        write(destination, state);
        EndBroadcast(destination);
    }

    /// <summary>Queues a frame for one session, a member or not; it goes out when the turn ends, with what the turn broadcasts.</summary>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    protected bool Send<TState>(Session to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write)
    {
        ArgumentNullException.ThrowIfNull(to);
        _touched.Add(to.Connection);
        return to.Connection.Enqueue(header, bodyBytes, state, write);
    }

    private Span<byte> BeginBroadcast(FrameHeader header, int bodyBytes)
    {
        FrameFormat format = _services.Format;
        if ((uint)bodyBytes > (uint)format.MaxBodyBytes)
        {
            throw new ArgumentException($"A body of {bodyBytes} bytes does not fit this format: at most {format.MaxBodyBytes}.", nameof(bodyBytes));
        }

        int bytes = format.GetEncodedBytes(bodyBytes);
        if (_blocks.Count == 0 || _blocks[^1].FreeBytes < bytes)
        {
            // As large as the last turn's: a busy room gets one block a turn, a quiet one a small one.
            _blocks.Add(_services.Pool.RentSegment(Math.Max(bytes, Math.Min(_lastBroadcastBytes, SegmentPool.ReceiveBytes))));
            _blockFrames.Add(0);
        }

        Span<byte> frame = _blocks[^1].Free;
        format.WriteHeader(frame, header, bodyBytes);
        format.WriteTrailer(frame[(format.HeaderBytes + bodyBytes)..]);
        return frame.Slice(format.HeaderBytes, bodyBytes);
    }

    private void EndBroadcast(ReadOnlySpan<byte> body)
    {
        FrameFormat format = _services.Format;
        // A format with a delimiter cannot carry every body; the others are not asked.
        if (format.TrailerBytes > 0 && !format.CanCarry(body))
        {
            throw new ArgumentException($"The body contains what ends a frame in the format '{format.Name}'.", nameof(body));
        }

        int bytes = format.GetEncodedBytes(body.Length);
        _blocks[^1].Written += bytes;
        _turnBytes += bytes;
        _blockFrames[^1]++;
    }

    /// <summary>Before the membership changes, what was broadcast so far is queued for those who are members now; it goes out when the turn ends.</summary>
    private void QueueBlocks()
    {
        if (_blocks.Count > 0)
        {
            SendBlocks(0, _memberCount, flush: false);
            ReleaseBlocks();
            _queued = true;
        }
    }

    private void BeginFlush()
    {
        _flushing = true;
        _flushNext = 0;
        _behind = 0;
    }

    /// <summary>Flushes the next members.</summary>
    /// <returns>Whether all are served.</returns>
    private bool FlushSlice()
    {
        if (_blocks.Count > 0 || _queued)
        {
            int end = Math.Min(_memberCount, _flushNext + MembersPerSlice);
            if (_blocks.Count > 0)
            {
                SendBlocks(_flushNext, end, flush: true);
            }
            else
            {
                FlushMembers(_flushNext, end);
            }

            _flushNext = end;
            if (end < _memberCount)
            {
                return false;
            }

            ReleaseBlocks();
            _queued = false;
        }

        foreach (Connection connection in _touched)
        {
            connection.Flush();
        }

        _touched.Clear();
        _flushing = false;
        _isPressed = AreMany(_behind, _memberCount);
        if (_flushTicks > 0)
        {
            _lastFlush = _services.Time.GetTimestamp();
        }

        RecordLatency();
        _drained?.ForEach(static done => done.SetResult());
        _drained = null;
        return true;
    }

    private void SendBlocks(int from, int to, bool flush)
    {
        long delivered = 0;
        for (int m = from; m < to; m++)
        {
            PrefetchNext(m, to);
            Connection connection = _links[m];
            for (int b = 0; b < _blocks.Count; b++)
            {
                if (connection.SendShared(_blocks[b], _blockFrames[b], flush && b == _blocks.Count - 1))
                {
                    delivered += _blockFrames[b];
                }
            }

            // Its line is at hand now; a turn that asked for it later would fetch it again.
            if (flush && IsBehind(connection))
            {
                _behind++;
            }
        }

        _services.Metrics.Add(Counter.Deliveries, delivered);
    }

    /// <summary>
    /// A member's connection has been out of the processor's cache since the last turn. Asked for while those before it are sent to, it is
    /// there in time.
    /// </summary>
    private void PrefetchNext(int member, int end)
    {
        if (member + 4 < end)
        {
            _links[member + 4].Prefetch();
        }

        if (member + 2 < end)
        {
            _links[member + 2].PrefetchSending();
        }
    }

    private void FlushMembers(int from, int to)
    {
        for (int m = from; m < to; m++)
        {
            _links[m].Flush();
        }
    }

    private void ReleaseBlocks()
    {
        int bytes = 0;
        foreach (Segment block in _blocks)
        {
            bytes += block.Written;
            block.Release();
        }

        _lastBroadcastBytes = bytes;
        _blocks.Clear();
        _blockFrames.Clear();
    }
}
