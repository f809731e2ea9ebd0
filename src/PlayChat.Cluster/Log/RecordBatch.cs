namespace PlayChat.Cluster.Log;

/// <summary>Records of one node for one shard, in the form that stands in the log. A view: it owns no memory.</summary>
/// <remarks>
/// <para>Wire form, little endian: 1 byte version (1), 1 byte flags (0), 2 bytes node, 8 bytes incarnation, 8 bytes batch number, 4 bytes
/// epoch, 2 bytes count; then for each record 1 byte kind, 4 bytes length of the body, 8 bytes room, 8 bytes user, 8 bytes token, and the
/// body. A reader ignores flags that it does not know.</para>
/// </remarks>
public readonly struct RecordBatch
{
    /// <summary>Bytes in front of the first record: 26.</summary>
    public const int HeaderBytes = 26;

    /// <summary>Bytes in front of each body: 29.</summary>
    public const int RecordHeaderBytes = 29;

    private const byte Version = 1;
    private const int EpochAt = 20;
    private const int CountAt = 24;

    private readonly ReadOnlyMemory<byte> _records;

    private RecordBatch(BatchHeader header, ReadOnlyMemory<byte> records)
    {
        Header = header;
        _records = records;
    }

    /// <summary>The front of the batch.</summary>
    public BatchHeader Header { get; }

    /// <summary>Reads a batch and checks all of it. Invalid bytes never cause an exception.</summary>
    /// <param name="bytes">Exactly one batch. The result refers to them.</param>
    /// <param name="batch">The batch, when the status is <see cref="BatchStatus.Valid"/>.</param>
    public static BatchStatus TryRead(ReadOnlyMemory<byte> bytes, out RecordBatch batch)
    {
        batch = default;
        ReadOnlySpan<byte> span = bytes.Span;
        if (span.Length > 0 && span[0] != Version)
        {
            return BatchStatus.UnknownVersion;
        }

        if (span.Length < HeaderBytes)
        {
            return BatchStatus.Malformed;
        }

        int count = BinaryPrimitives.ReadUInt16LittleEndian(span[CountAt..]);
        var header = new BatchHeader
        {
            Origin = new RecordOrigin(
                BinaryPrimitives.ReadUInt16LittleEndian(span[2..]), BinaryPrimitives.ReadInt64LittleEndian(span[4..])),
            Number = BinaryPrimitives.ReadInt64LittleEndian(span[12..]),
            Epoch = BinaryPrimitives.ReadUInt32LittleEndian(span[EpochAt..]),
            Count = count,
        };
        if (count > LogPosition.MaxBatchRecords || header.Number < 0 || header.Origin.Incarnation < 0)
        {
            return BatchStatus.Malformed;
        }

        ReadOnlySpan<byte> rest = span[HeaderBytes..];
        for (int i = 0; i < count; i++)
        {
            if (rest.Length < RecordHeaderBytes)
            {
                return BatchStatus.Malformed;
            }

            uint bodyBytes = BinaryPrimitives.ReadUInt32LittleEndian(rest[1..]);
            rest = rest[RecordHeaderBytes..];
            if (bodyBytes > rest.Length)
            {
                return BatchStatus.Malformed;
            }

            rest = rest[(int)bodyBytes..];
        }

        if (!rest.IsEmpty)
        {
            return BatchStatus.Malformed;
        }

        batch = new RecordBatch(header, bytes[HeaderBytes..]);
        return BatchStatus.Valid;
    }

    /// <summary>Writes the greeting of a node: one record of kind <see cref="RecordKind.Hello"/>, outside of the count of
    /// batches.</summary>
    /// <param name="origin">The node.</param>
    /// <param name="epoch">The log's epoch as far as the node knows it; 0 when it does not.</param>
    /// <param name="nonce">The number that the node waits for.</param>
    /// <exception cref="ArgumentOutOfRangeException">A part of the origin is outside of its range.</exception>
    public static byte[] WriteHello(RecordOrigin origin, uint epoch, ulong nonce)
    {
        byte[] bytes = new byte[HeaderBytes + RecordHeaderBytes];
        WriteRecord(bytes.AsSpan(HeaderBytes), new RoomRecord { Kind = RecordKind.Hello, Token = nonce });
        WriteHeader(bytes, new BatchHeader { Origin = origin, Epoch = epoch, Count = 1 });
        return bytes;
    }

    /// <summary>Writes a batch of some records.</summary>
    /// <param name="header">The front; its count is replaced.</param>
    /// <param name="records">At most 4,096.</param>
    /// <exception cref="ArgumentOutOfRangeException">A part of the origin is outside of its range, or there are too many
    /// records.</exception>
    public static byte[] Write(BatchHeader header, params RoomRecord[] records)
    {
        ArgumentNullException.ThrowIfNull(records);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(records.Length, LogPosition.MaxBatchRecords, nameof(records));
        byte[] bytes = new byte[HeaderBytes + records.Sum(static record => RecordHeaderBytes + record.Body.Length)];
        WriteHeader(bytes, header with { Count = records.Length });
        int at = HeaderBytes;
        foreach (RoomRecord record in records)
        {
            at += WriteRecord(bytes.AsSpan(at), record);
        }

        return bytes;
    }

    /// <summary>Returns the records in their order.</summary>
    public Enumerator GetEnumerator() => new(_records);

    internal static void WriteHeader(Span<byte> to, BatchHeader header)
    {
        Check(header.Origin);
        to[0] = Version;
        to[1] = 0;
        BinaryPrimitives.WriteUInt16LittleEndian(to[2..], (ushort)header.Origin.NodeId);
        BinaryPrimitives.WriteInt64LittleEndian(to[4..], header.Origin.Incarnation);
        BinaryPrimitives.WriteInt64LittleEndian(to[12..], header.Number);
        BinaryPrimitives.WriteUInt32LittleEndian(to[EpochAt..], header.Epoch);
        BinaryPrimitives.WriteUInt16LittleEndian(to[CountAt..], (ushort)header.Count);
    }

    internal static int WriteRecord(Span<byte> to, in RoomRecord record)
    {
        to[0] = record.Kind;
        BinaryPrimitives.WriteInt32LittleEndian(to[1..], record.Body.Length);
        BinaryPrimitives.WriteInt64LittleEndian(to[5..], record.RoomId);
        BinaryPrimitives.WriteInt64LittleEndian(to[13..], record.UserId);
        BinaryPrimitives.WriteUInt64LittleEndian(to[21..], record.Token);
        record.Body.Span.CopyTo(to[RecordHeaderBytes..]);
        return RecordHeaderBytes + record.Body.Length;
    }

    internal static void Check(RecordOrigin origin)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(origin.NodeId, nameof(origin));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(origin.NodeId, ushort.MaxValue, nameof(origin));
        ArgumentOutOfRangeException.ThrowIfNegative(origin.Incarnation, nameof(origin));
    }

    /// <summary>Goes through the records of a batch.</summary>
    public struct Enumerator
    {
        private ReadOnlyMemory<byte> _rest;

        internal Enumerator(ReadOnlyMemory<byte> records) => _rest = records;

        /// <summary>The present record. Its body refers to the batch's bytes.</summary>
        public RoomRecord Current { get; private set; }

        /// <summary>Goes to the next record, if there is one.</summary>
        public bool MoveNext()
        {
            if (_rest.IsEmpty)
            {
                return false;
            }

            ReadOnlySpan<byte> span = _rest.Span;
            int bodyBytes = BinaryPrimitives.ReadInt32LittleEndian(span[1..]);
            Current = new RoomRecord
            {
                Kind = span[0],
                RoomId = BinaryPrimitives.ReadInt64LittleEndian(span[5..]),
                UserId = BinaryPrimitives.ReadInt64LittleEndian(span[13..]),
                Token = BinaryPrimitives.ReadUInt64LittleEndian(span[21..]),
                Body = _rest.Slice(RecordHeaderBytes, bodyBytes),
            };
            _rest = _rest[(RecordHeaderBytes + bodyBytes)..];
            return true;
        }
    }
}
