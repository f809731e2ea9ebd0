using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Storage.ChatLog;

/// <summary>A local file that takes batches of the chat log while the database does not, and gives them back in their order.</summary>
/// <remarks>
/// <para>Append-only: eight bytes that mark the file, then one entry a batch: its length (4 bytes, little-endian), the SHA-256 of
/// its content (the hash that the runtime has everywhere), its content. An entry that is not whole, because the process was killed
/// or the disk was full while it was written, is cut off when the file is opened. When everything has been given back the file
/// is emptied.</para>
/// <para>A process that is killed between giving back and emptying gives the same records again: whoever takes them skips
/// those it has (<see cref="IChatStore.AppendChatAsync"/> does). For one thread at a time; the counts may be read from any.</para>
/// </remarks>
public sealed class ChatLogSpill : IDisposable
{
    private const int LengthBytes = sizeof(int);
    private const int HeadBytes = LengthBytes + SHA256.HashSizeInBytes;

    private readonly FileStream _file;
    private readonly long _maxBytes;
    private readonly ILogger _logger;
    private readonly Queue<(int Records, long Bytes)> _entries = new(); // those not given back yet
    private long _first = Mark.Length; // where the oldest of them begins
    private long _records;

    private ChatLogSpill(FileStream file, long maxBytes, ILogger logger)
    {
        _file = file;
        _maxBytes = maxBytes;
        _logger = logger;
    }

    /// <summary>Records that wait in the file.</summary>
    public long Records => Interlocked.Read(ref _records);

    /// <summary>Whether nothing waits.</summary>
    public bool IsEmpty => Records == 0;

    private static ReadOnlySpan<byte> Mark => "PLCHSPL1"u8;

    /// <summary>Opens the file and takes up what an earlier process left in it; makes it, and its folder, when there is none.</summary>
    /// <param name="path">The file. This process alone may have it open.</param>
    /// <param name="maxBytes">Largest size it may reach; more is not taken.</param>
    /// <param name="logger">Gets a line when something was left, or cut off.</param>
    /// <exception cref="StorageException">It cannot be opened, or is no such file.</exception>
    public static ChatLogSpill Open(string path, long maxBytes, ILogger logger)
    {
        ArgumentNullException.ThrowIfNull(logger);
        string fullPath = Path.GetFullPath(path);
        FileStream? file = null;
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(fullPath)!);
            file = new FileStream(fullPath, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            var spill = new ChatLogSpill(file, maxBytes, logger);
            spill.TakeUp(fullPath);
            return spill;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or StorageException)
        {
            file?.Dispose();
            throw e as StorageException ?? new StorageException(
                StorageErrorKind.NotWritable,
                $"The chat log's spill file '{fullPath}' cannot be opened: {e.Message} Give this program the right to write there, end another server that uses it, or set another file.",
                e);
        }
    }

    /// <summary>Adds a batch behind the others. It is on the disk itself only after <see cref="Flush"/>.</summary>
    /// <returns><see langword="false"/> when the file, or the disk, is full: it is as before.</returns>
    public bool TryAppend(IReadOnlyList<ChatRecord> records)
    {
        byte[] entry = Encode(records);
        long end = _file.Length;
        if (end + entry.Length > _maxBytes)
        {
            return false;
        }

        try
        {
            _file.Position = end;
            _file.Write(entry);
            _file.Flush();
        }
        catch (IOException e)
        {
            StorageLog.SpillFailed(_logger, e.Message);
            CutTo(end);
            return false;
        }

        _entries.Enqueue((records.Count, entry.Length));
        Interlocked.Add(ref _records, records.Count);
        return true;
    }

    /// <summary>Has the disk itself hold what was added.</summary>
    public void Flush() => _file.Flush(flushToDisk: true);

    /// <summary>The oldest batch.</summary>
    /// <exception cref="InvalidOperationException">The file is empty.</exception>
    public IReadOnlyList<ChatRecord> ReadFirst()
    {
        byte[] content = new byte[_entries.Peek().Bytes - HeadBytes];
        _file.Position = _first + HeadBytes;
        _file.ReadExactly(content);
        return Decode(content);
    }

    /// <summary>Forgets the oldest batch; with the last one the file is emptied.</summary>
    public void RemoveFirst()
    {
        (int records, long bytes) = _entries.Dequeue();
        _first += bytes;
        if (_entries.Count == 0)
        {
            CutTo(Mark.Length);
            _first = Mark.Length;
        }

        Interlocked.Add(ref _records, -records);
    }

    /// <summary>Gives everything to a sink, oldest first.</summary>
    /// <returns>How many records that were.</returns>
    public async Task<long> ImportAsync(IChatLogSink sink, CancellationToken cancellationToken)
    {
        long imported = 0;
        while (!IsEmpty)
        {
            IReadOnlyList<ChatRecord> batch = ReadFirst();
            await sink.WriteBatchAsync(batch, cancellationToken).ConfigureAwait(false);
            RemoveFirst();
            imported += batch.Count;
        }

        return imported;
    }

    /// <summary>Closes the file. What is in it stays.</summary>
    public void Dispose() => _file.Dispose();

    private static byte[] Encode(IReadOnlyList<ChatRecord> records)
    {
        using var entry = new MemoryStream();
        entry.Position = HeadBytes;
        using var writer = new BinaryWriter(entry);
        writer.Write(records.Count);
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            writer.Write(record.RoomId);
            writer.Write(record.Sequence);
            writer.Write(record.PlayerId);
            writer.Write(record.PlayerName);
            writer.Write(record.Text);
            writer.Write(record.SentAt.UtcTicks);
            writer.Write(record.RoomName is not null);
            if (record.RoomName is not null)
            {
                writer.Write(record.RoomName);
            }
        }

        writer.Flush();
        byte[] bytes = entry.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length - HeadBytes);
        SHA256.HashData(bytes.AsSpan(HeadBytes), bytes.AsSpan(LengthBytes));
        return bytes;
    }

    private static ChatRecord[] Decode(byte[] content)
    {
        using var reader = new BinaryReader(new MemoryStream(content));
        var records = new ChatRecord[reader.ReadInt32()];
        for (int i = 0; i < records.Length; i++)
        {
            records[i] = new ChatRecord(
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadString(),
                reader.ReadString(),
                new DateTimeOffset(reader.ReadInt64(), TimeSpan.Zero),
                reader.ReadBoolean() ? reader.ReadString() : null);
        }

        return records;
    }

    private void TakeUp(string path)
    {
        if (_file.Length < Mark.Length)
        {
            // New, or killed while it was made.
            _file.SetLength(0);
            _file.Write(Mark);
            _file.Flush(flushToDisk: true);
            return;
        }

        Span<byte> mark = stackalloc byte[Mark.Length];
        _file.ReadExactly(mark);
        if (!mark.SequenceEqual(Mark))
        {
            throw new StorageException(StorageErrorKind.NotADatabase, $"'{path}' is no spill file of the chat log. Set another file, or move this one away.");
        }

        while (TryReadEntry(out int records, out long bytes))
        {
            _entries.Enqueue((records, bytes));
            _records += records;
        }

        long whole = Mark.Length + _entries.Sum(static entry => entry.Bytes);
        if (_file.Length > whole)
        {
            StorageLog.SpillCut(_logger, path, _file.Length - whole);
            CutTo(whole);
        }

        if (_records > 0)
        {
            StorageLog.SpillFound(_logger, path, _records);
        }
    }

    private bool TryReadEntry(out int records, out long bytes)
    {
        records = 0;
        bytes = 0;
        Span<byte> head = stackalloc byte[HeadBytes];
        if (_file.ReadAtLeast(head, HeadBytes, throwOnEndOfStream: false) < HeadBytes)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadInt32LittleEndian(head);
        if (length < sizeof(int) || length > _file.Length - _file.Position)
        {
            return false;
        }

        byte[] content = new byte[length];
        _file.ReadExactly(content);
        if (!SHA256.HashData(content).AsSpan().SequenceEqual(head[LengthBytes..]))
        {
            return false;
        }

        records = BinaryPrimitives.ReadInt32LittleEndian(content);
        bytes = HeadBytes + length;
        return true;
    }

    private void CutTo(long length)
    {
        _file.SetLength(length);
        _file.Flush(flushToDisk: true);
    }
}
