using System.Runtime.InteropServices;

namespace PlayChat.Cluster.Log;

/// <summary>Turns the bytes of a shard's log into calls of a handler: each record once, in order, with holes named.</summary>
/// <remarks>
/// <para>Each <see cref="ShardSubscription"/> has one. The engine calls <see cref="Attach"/> each time that it begins to read the log, and
/// then <see cref="Read"/> for each batch, with one thread at a time.</para>
/// <para>The reader drops a batch whose number it has seen, batches of a node behind the record that declares it dead, and batches of a
/// life of a node behind one of a later life. It depends on nothing but the log, so all readers of a shard decide alike.</para>
/// </remarks>
public sealed class ShardReader
{
    private readonly int _shard;
    private readonly SubscribeFrom _from;
    private readonly IShardHandler _handler;
    private readonly RoomBackplane _owner;
    private readonly Action<ulong> _onHello;
    private readonly ILogger _logger;
    private readonly Dictionary<int, SeenNode> _nodes = []; // by node id
    private readonly HashSet<RecordOrigin> _dead = []; // the handler was told of
    private LogPosition _last; // valid when _hasPosition
    private bool _hasPosition;
    private bool _isAttaching;
    private int _holes; // the number of gaps in which batches may have been lost unnoticed

    internal ShardReader(int shard, SubscribeFrom from, IShardHandler handler, RoomBackplane owner, Action<ulong> onHello, ILogger logger)
    {
        _shard = shard;
        _from = from;
        _handler = handler;
        _owner = owner;
        _onHello = onHello;
        _logger = logger;
        if (from.Position is { } position)
        {
            _last = position;
            _hasPosition = true;
        }
    }

    /// <summary>The last record that was handled or dropped; <see langword="null"/> before the first.</summary>
    public LogPosition? Position => _hasPosition ? _last : null;

    /// <summary>Begins to read the log, for the first time or again.</summary>
    /// <returns>
    /// From where. For a position, the engine reads from the batch at its offset on, that batch included: if the log does not have it any
    /// more, the first batch shows that records are missing. If the log's epoch is another, the engine reads from its beginning.
    /// </returns>
    public SubscribeFrom Attach()
    {
        _isAttaching = true;
        return _hasPosition ? SubscribeFrom.After(_last) : _from;
    }

    /// <summary>Handles one batch.</summary>
    /// <param name="offset">Its place in the log.</param>
    /// <param name="bytes">The batch; used during the call only.</param>
    public void Read(long offset, ReadOnlyMemory<byte> bytes)
    {
        int delivered = 0;
        BatchStatus status = RecordBatch.TryRead(bytes, out RecordBatch batch);
        uint epoch = Math.Max(batch.Header.Epoch, _hasPosition ? _last.Epoch : 0);
        if (!IsNew(epoch, offset, out int skip))
        {
            return;
        }

        var first = new LogPosition(epoch, offset, (ushort)skip);
        if (status != BatchStatus.Valid)
        {
            if (skip == 0) // otherwise the handler was told before the connection broke
            {
                ClusterLog.UnreadableBatch(_logger, _shard, offset, status);
                Gap(first, GapReason.Unreadable);
            }
        }
        else if (IsAccepted(batch.Header, first))
        {
            delivered = Deliver(batch, first);
        }

        Moved(new LogPosition(epoch, offset, (ushort)Math.Max(0, batch.Header.Count - 1)));
        _owner.OnRead(_shard, status == BatchStatus.Valid ? batch.Header : default, delivered);
    }

    private void Moved(LogPosition position)
    {
        _last = position;
        _hasPosition = true;
    }

    // Compares a batch with the last position: whether the batch is behind it, and whether records are missing in between. The first
    // "skip" records of the batch were handled already.
    private bool IsNew(uint epoch, long offset, out int skip)
    {
        skip = 0;
        bool isAttaching = _isAttaching;
        _isAttaching = false;
        if (!_hasPosition)
        {
            return true;
        }

        if (epoch != _last.Epoch)
        {
            // From no known epoch to the first one is not a change.
            if (_last.Epoch != 0)
            {
                _holes++;
                Gap(new LogPosition(epoch, offset, 0), GapReason.NewEpoch);
            }

            return true;
        }

        if (offset < _last.Offset)
        {
            _isAttaching = isAttaching;
            return false;
        }

        if (offset == _last.Offset)
        {
            skip = _last.Index + 1;
            return true;
        }

        if (isAttaching || (_owner.HasDenseOffsets && offset > _last.Offset + 1))
        {
            _holes++;
            Gap(new LogPosition(epoch, offset, 0), isAttaching ? GapReason.Trimmed : GapReason.Skipped);
        }

        return true;
    }

    private bool IsAccepted(in BatchHeader header, LogPosition first)
    {
        ref SeenNode seen = ref CollectionsMarshal.GetValueRefOrAddDefault(_nodes, header.Origin.NodeId, out bool isKnown);
        if (isKnown && (header.Origin.Incarnation < seen.Incarnation || (header.Origin.Incarnation == seen.Incarnation && seen.IsDown)))
        {
            _owner.Meter.Fenced();
            return false;
        }

        bool isSameLife = isKnown && header.Origin.Incarnation == seen.Incarnation;
        isKnown &= !seen.IsKnownByDeath;
        if (header.Number == 0)
        {
            // A greeting: outside of the count.
            if (!isSameLife)
            {
                seen = new SeenNode { Incarnation = header.Origin.Incarnation, Number = isKnown ? 0 : SeenNode.AnyNumber, Holes = _holes };
            }

            return true;
        }

        long last = isSameLife ? seen.Number : isKnown ? 0 : SeenNode.AnyNumber;
        if (last != SeenNode.AnyNumber && (header.Number < last || (header.Number == last && first.Index == 0)))
        {
            _owner.Meter.Duplicate();
            return false;
        }

        // Numbers before the first one that was seen, and numbers in a hole that was reported, do not count as missing.
        bool isSkipped = last != SeenNode.AnyNumber && header.Number > last + 1 && seen.Holes == _holes;
        seen = new SeenNode { Incarnation = header.Origin.Incarnation, Number = header.Number, Holes = _holes };
        if (isSkipped)
        {
            Gap(first, GapReason.OriginSkipped);
        }

        return true;
    }

    private int Deliver(RecordBatch batch, LogPosition first)
    {
        int index = 0;
        int delivered = 0;
        foreach (RoomRecord record in batch)
        {
            int at = index++;
            if (at < first.Index)
            {
                continue;
            }

            if (record.Kind is < RecordKind.FirstReserved or RecordKind.Broadcast)
            {
                delivered++;
                Call(first with { Index = (ushort)at }, batch.Header.Origin, in record);
            }
            else if (record.Kind == RecordKind.Hello && batch.Header.Origin == _owner.Origin)
            {
                _owner.OnHello(_shard);
                _onHello(record.Token);
            }
            else if (record.Kind == RecordKind.Probe)
            {
                Tell(batch.Header.Origin, nameof(IShardHandler.OnProbe), static (handler, origin) => handler.OnProbe(origin));
            }
            else if (record.TryReadNodeDown(out RecordOrigin dead))
            {
                Fence(dead);
            }
        }

        return delivered;
    }

    private void Call(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        try
        {
            if (record.Kind == RecordKind.Broadcast)
            {
                _handler.OnBroadcast(origin, in record);
            }
            else
            {
                _handler.OnRecord(in position, origin, in record);
            }
        }
        catch (Exception e) // the application's: the other rooms of the shard need the records that follow
        {
            string method = record.Kind == RecordKind.Broadcast ? nameof(IShardHandler.OnBroadcast) : nameof(IShardHandler.OnRecord);
            ClusterLog.HandlerFault(_logger, e, method, _shard);
        }
    }

    private void Fence(RecordOrigin dead)
    {
        if (!_dead.Add(dead))
        {
            return;
        }

        ref SeenNode seen = ref CollectionsMarshal.GetValueRefOrAddDefault(_nodes, dead.NodeId, out bool isKnown);
        if (!isKnown || dead.Incarnation >= seen.Incarnation)
        {
            seen = new SeenNode
            {
                Incarnation = dead.Incarnation,
                Number = 0,
                Holes = _holes,
                IsDown = true,
                IsKnownByDeath = !isKnown || seen.IsKnownByDeath,
            };
        }

        _owner.OnNodeDown(dead);
        Tell(dead, nameof(IShardHandler.OnNodeDown), static (handler, origin) => handler.OnNodeDown(origin));
    }

    private void Tell(RecordOrigin origin, string method, Action<IShardHandler, RecordOrigin> call)
    {
        try
        {
            call(_handler, origin);
        }
        catch (Exception e) // the application's
        {
            ClusterLog.HandlerFault(_logger, e, method, _shard);
        }
    }

    private void Gap(LogPosition found, GapReason reason)
    {
        _owner.OnGap(_shard);
        ClusterLog.Gap(_logger, _shard, _last.Epoch, _last.Offset, reason);
        try
        {
            _handler.OnGap(_last, found, reason);
        }
        catch (Exception e) // the application's
        {
            ClusterLog.HandlerFault(_logger, e, nameof(IShardHandler.OnGap), _shard);
        }
    }

    private struct SeenNode
    {
        /// <summary>No batch of the node has been seen, so the first may have any number.</summary>
        public const long AnyNumber = -1;

        public long Incarnation;
        public long Number;
        public int Holes; // of the reader, when the number was seen
        public bool IsDown;
        public bool IsKnownByDeath; // alone: a later life may have written before the reader began
    }
}
