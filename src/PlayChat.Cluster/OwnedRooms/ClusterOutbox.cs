using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Collects what the owner of a room in a cluster sends, and hands it to the log at the end of the turn. The replicas of all nodes
/// deliver it, that of the owner's own node as well, so all members see it in the log's order.</summary>
/// <remarks>Invariant: <c>_record</c> has whole entries of <see cref="ClusterOutputKind"/>, in the order of the calls, and no more bytes
/// than a record may have.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A stream in memory has nothing to free.")]
internal sealed class ClusterOutbox : RoomUplink
{
    /// <summary>The most bytes of an entry beside its body and its recipients.</summary>
    internal const int MaxOverhead = 64;

    private readonly ClusterSender _sender;
    private readonly int _maxBytes;
    private readonly FrameFormat _format;
    private readonly MemoryStream _record = new(); // guarded by itself; the rest is the room's turn's
    private readonly MemoryStream _entry = new();
    private readonly BinaryWriter _writer;
    private byte[] _body = [];
    private FrameHeader _header;

    internal ClusterOutbox(FrameFormat format, ClusterSender sender, int maxRecordBytes)
    {
        _format = format;
        _sender = sender;
        _maxBytes = maxRecordBytes;
        _writer = new BinaryWriter(_entry);
    }

    internal override bool HasFrames
    {
        get
        {
            lock (_record)
            {
                return _record.Length > 0 || _sender.HasUnsent;
            }
        }
    }

    internal override bool MustHold()
    {
        _sender.Flush();
        return _sender.HasUnsent;
    }

    /// <summary>Adds an entry that is no frame.</summary>
    internal void Add<TState>(ClusterOutputKind kind, TState state, Action<BinaryWriter, TState> write)
    {
        _writer.Write((byte)kind);
        write(_writer, state);
        EndEntry();
    }

    /// <summary>Adds a whole entry. Thread-safe.</summary>
    internal void Add(MemoryStream entry)
    {
        lock (_record)
        {
            if (_record.Length + entry.Length > _maxBytes)
            {
                Cut();
            }

            entry.WriteTo(_record);
        }
    }

    /// <summary>Hands everything so far to the log.</summary>
    internal void Cut()
    {
        lock (_record)
        {
            if (_record.Length > 0)
            {
                _sender.Send(ClusterEntryKind.Output, _record.ToArray());
                _record.SetLength(0);
            }
        }
    }

    internal override void Flush()
    {
        Cut();
        _sender.Flush();
    }

    /// <summary>Writes a frame as a replica reads it.</summary>
    internal static void WriteFrame(BinaryWriter writer, FrameHeader header, Delivery delivery, ReadOnlySpan<byte> body)
    {
        writer.Write(header.PacketId);
        writer.Write(header.RequestId);
        writer.Write(header.SenderId);
        writer.Write((byte)(delivery.IsReliable ? 0 : delivery.IsLatestOnly ? 1 : 2));
        writer.Write(delivery.Key);
        writer.Write(body.Length);
        writer.Write(body);
    }

    /// <summary>Reads what <see cref="WriteFrame"/> has written.</summary>
    internal static (FrameHeader Header, Delivery Delivery, byte[] Body) ReadFrame(BinaryReader reader)
    {
        var header = new FrameHeader(reader.ReadUInt16(), reader.ReadUInt16(), reader.ReadUInt16());
        byte kind = reader.ReadByte();
        long key = reader.ReadInt64();
        Delivery delivery = kind switch
        {
            0 => Delivery.Reliable,
            1 => Delivery.LatestOnly(key),
            _ => Delivery.DropIfBehind,
        };
        return (header, delivery, reader.ReadBytes(reader.ReadInt32()));
    }

    internal override int EndBroadcast(ReadOnlySpan<byte> body, Delivery delivery, Session? except)
    {
        int bytes = RoomFrames.End(_format, body); // throws before anything is written
        if (except is null)
        {
            _writer.Write((byte)ClusterOutputKind.ToAll);
        }
        else
        {
            _writer.Write((byte)ClusterOutputKind.ToOthers);
            _writer.Write(except.Id);
        }

        WriteFrame(_writer, _header, delivery, body);
        EndEntry();
        return bytes;
    }

    internal override Span<byte> Begin(FrameHeader header, int bodyBytes)
    {
        _ = RoomFrames.GetEncodedBytes(_format, bodyBytes); // throws if the format cannot carry it
        if (bodyBytes > _maxBytes - MaxOverhead)
        {
            throw new ArgumentException(
                $"A body of {bodyBytes} bytes does not fit into a record of the cluster's log: at most {_maxBytes - MaxOverhead}. "
                    + $"Raise {nameof(RoomClusterOptions.MaxRecordBytes)}.",
                nameof(bodyBytes));
        }

        if (_body.Length < bodyBytes)
        {
            _body = new byte[Math.Max(bodyBytes, 256)];
        }

        _header = header;
        return _body.AsSpan(0, bodyBytes);
    }

    internal override int EndDirect(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, Delivery delivery)
    {
        int bytes = RoomFrames.End(_format, body); // throws before anything is written
        foreach (Session session in to)
        {
            ArgumentNullException.ThrowIfNull(session, nameof(to));
        }

        // As many recipients as fit into a record with the body.
        int most = Math.Max(1, (_maxBytes - MaxOverhead - body.Length) / sizeof(long));
        for (; to.Length > most; to = to[most..])
        {
            SendToSome(to[..most], body, delivery);
        }

        SendToSome(to, body, delivery);
        return bytes;
    }

    private void SendToSome(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, Delivery delivery)
    {
        _writer.Write((byte)ClusterOutputKind.ToSome);
        _writer.Write(to.Length);
        foreach (Session session in to)
        {
            _writer.Write(session.Id);
        }

        WriteFrame(_writer, _header, delivery, body);
        EndEntry();
    }

    private void EndEntry()
    {
        _writer.Flush();
        Add(_entry);
        _entry.SetLength(0);
    }
}
