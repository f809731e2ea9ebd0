using System.Runtime.InteropServices;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// How what a turn sends goes out. Nearly always all members get the same, and each is handed the blocks as they are.
public abstract partial class Room
{
    // Members flushed before other rooms, and on an event loop the sockets that are ready, get the thread: an eighth of a millisecond of sends.
    private const int MembersPerSlice = 32;

    // So few sends are over before a wait for a lane would be.
    private const int FewMembers = 8;

    private readonly List<int> _unlike = []; // members who get something else than all
    private readonly List<Gap> _gaps = [];
    private View[] _views = []; // of those: in the members' places, otherwise the default
    private bool _queued; // members have something of this turn in their queues that is not flushed
    private bool _flushing;
    private int _flushNext;
    private int _touchedNext;

    private bool HasFewToFlush => _memberCount + _touched.Count <= FewMembers;

    private TurnPosition TurnEnd =>
        _blocks.Count == 0 ? default : new TurnPosition(_blocks.Count - 1, _blocks[^1].Written, _blockFrames[^1], _loose.Count);

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

    /// <summary>Before somebody gets something of his own, what was broadcast so far is queued for him.</summary>
    private void CatchUp(Session session)
    {
        if (_blocks.Count > 0 && _memberIndex.TryGetValue(session, out int member))
        {
            TurnPosition end = TurnEnd;
            ref View view = ref ViewOf(member);
            if (view.From != end)
            {
                CountDeliveries(SendTo(member, flush: false));
                view = new View(end, FirstGap: 0, LastGap: 0);
            }
        }
    }

    private void LeaveOut(int member, TurnPosition before, TurnPosition after)
    {
        ref View view = ref ViewOf(member);
        _gaps.Add(new Gap(before, after, Next: 0));
        if (view.FirstGap == 0)
        {
            view = view with { FirstGap = _gaps.Count, LastGap = _gaps.Count };
        }
        else
        {
            _gaps[view.LastGap - 1] = _gaps[view.LastGap - 1] with { Next = _gaps.Count };
            view = view with { LastGap = _gaps.Count };
        }
    }

    private ref View ViewOf(int member)
    {
        if (_views.Length < _memberCount)
        {
            Array.Resize(ref _views, _members.Length);
        }

        ref View view = ref _views[member];
        if (view == default)
        {
            _unlike.Add(member);
        }

        return ref view;
    }

    private void BeginFlush()
    {
        _flushing = true;
        _flushNext = 0;
        _touchedNext = 0;
        _behind = 0;
    }

    /// <summary>Flushes the next members, and then those who got something of their own.</summary>
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

        // Some may be in it several times: then more seem to be behind than are, and the next turn counts them before it waits.
        int touchedEnd = Math.Min(_touched.Count, _touchedNext + MembersPerSlice);
        for (; _touchedNext < touchedEnd; _touchedNext++)
        {
            FlushOne(_touched[_touchedNext]);
        }

        if (touchedEnd < _touched.Count)
        {
            return false;
        }

        _touched.Clear();
        _few?.Release();
        _few = null;
        _flushing = false;
        _isPressed = AreMany(_behind, _memberCount);
        if (_flushTicks > 0)
        {
            Volatile.Write(ref _lastFlush, _services.Time.GetTimestamp());
        }

        RecordLatency();
        if (IsAwaited)
        {
            TellDrained();
        }

        return true;
    }

    /// <summary>What does not pass through the queue may have come before whoever waits asked, and after the turn had looked for it: a later turn then tells him.</summary>
    private void TellDrained()
    {
        if (!_lost.IsEmpty)
        {
            return; // as many turns as they take: sessions are finite
        }

        Tell(ref _drainedNext);
        (_drained, _drainedNext) = (null, _drained);
        if (_timers is not { IsDue: true })
        {
            Tell(ref _drainedNext);
        }

        if (_isDisposed && !IsAwaited)
        {
            _context.Registry.OnEnded(this);
        }
    }

    private static void Tell(ref List<TaskCompletionSource>? waiting)
    {
        waiting?.ForEach(static done => done.SetResult());
        waiting = null;
    }

    private void SendBlocks(int from, int to, bool flush)
    {
        long delivered = 0;
        bool alike = _unlike.Count == 0 && _loose.Count == 0;
        for (int m = from; m < to; m++)
        {
            PrefetchNext(m, to);
            Connection connection = _links[m];
            if (!alike)
            {
                delivered += SendTo(m, flush);
            }
            else
            {
                for (int b = 0; b < _blocks.Count; b++)
                {
                    if (connection.SendShared(_blocks[b], _blockFrames[b], flush && b == _blocks.Count - 1))
                    {
                        delivered += _blockFrames[b];
                    }
                }
            }

            // Its line is at hand now; a turn that asked for it later would fetch it again.
            if (flush && IsBehind(connection))
            {
                _behind++;
            }
        }

        CountDeliveries(delivered);
    }

    private void CountDeliveries(long delivered) => _services.Metrics.Add(Counter.Deliveries, delivered);

    /// <summary>Sends one member what it has not been given yet, without what it does not get.</summary>
    private int SendTo(int member, bool flush)
    {
        Connection connection = _links[member];
        View view = member < _views.Length ? _views[member] : default;
        TurnPosition at = view.From;
        int delivered = 0;
        for (int g = view.FirstGap; g > 0; g = _gaps[g - 1].Next)
        {
            delivered += SendRange(connection, at, _gaps[g - 1].Before, flush: false);
            at = _gaps[g - 1].After;
        }

        return delivered + SendRange(connection, at, TurnEnd, flush);
    }

    private int SendRange(Connection connection, TurnPosition from, TurnPosition to, bool flush)
    {
        Span<LooseFrame> loose = CollectionsMarshal.AsSpan(_loose);
        int delivered = 0;
        for (int b = from.Block; b <= to.Block; b++)
        {
            bool isLast = b == to.Block;
            TurnPosition start = b == from.Block ? from : new TurnPosition(b, 0, 0, _blockLoose[b]);
            TurnPosition end = isLast ? to : new TurnPosition(b, _blocks[b].Written, _blockFrames[b], _blockLoose[b + 1]);
            delivered += connection.SendShared(
                new SharedFrames(_blocks[b], start.Bytes, end.Bytes - start.Bytes, start.Frames, end.Frames - start.Frames),
                loose[start.Loose..end.Loose],
                flush && isLast);
        }

        return delivered;
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
            FlushOne(_links[m]);
        }
    }

    private void FlushOne(Connection connection)
    {
        connection.Flush();
        if (IsBehind(connection))
        {
            _behind++;
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
        _blockLoose.Clear();
        _loose.Clear();
        _gaps.Clear();
        foreach (int member in _unlike)
        {
            _views[member] = default;
        }

        _unlike.Clear();
    }

    /// <summary>What a member gets of the turn's broadcasts.</summary>
    /// <param name="From">It has been given what is before.</param>
    /// <param name="FirstGap">The first frames behind that which it does not get: a number in the list from 1 on, 0 for none.</param>
    /// <param name="LastGap">The last ones.</param>
    private readonly record struct View(TurnPosition From, int FirstGap, int LastGap);

    /// <summary>Frames that a member does not get.</summary>
    private readonly record struct Gap(TurnPosition Before, TurnPosition After, int Next);
}
