using System.Buffers.Binary;
using System.Globalization;
using Microsoft.Extensions.Logging;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Storage.ChatLog;

/// <summary>A local file that takes batches of the chat log while the database does not, and gives them back in their order.</summary>
/// <remarks>
/// <para>Append-only: eight bytes that mark the file, eight that say where the first entry begins, then one entry a batch: its length
/// (4 bytes, little-endian), the SHA-256 of its content (the hash that the runtime has everywhere), its content. An entry that is not
/// whole, because the process was killed or the disk was full while it was written, is cut off before the next one and when the file
/// is opened. Entries that are damaged are left out then, and those behind them taken; what was found is kept in a file beside, and an
/// error says so. When everything has been given back the file is emptied; when most of it has, the rest moves to its front.</para>
/// <para>A process that is killed between giving back and emptying gives the same records again: whoever takes them skips
/// those it has (<see cref="IChatStore.AppendChatAsync"/> does). For one thread at a time; the counts may be read from any.</para>
/// </remarks>
public sealed class ChatLogSpill : IDisposable
{
    private const int FileHeadBytes = 2 * sizeof(long);

    // Less than this at the front is not worth a move.
    private const int LeastMoveBytes = 64 * 1024;
    private const int MoveBytes = 1024 * 1024;

    private readonly FileStream _file;
    private readonly long _maxBytes;
    private readonly ILogger _logger;
    private readonly Queue<(int Records, long Bytes)> _entries = new(); // those not given back yet
    private long _first = FileHeadBytes; // where the oldest of them begins
    private long _end = FileHeadBytes; // of the newest; what is behind it is a torn one
    private long _start = FileHeadBytes; // where the first begins, as the file says it
    private long _records;
    private bool _isFailing;

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

    private static ReadOnlySpan<byte> Mark => "PLCHSPL2"u8;

    /// <summary>Opens the file and takes up what an earlier process left in it; makes it, and its folder, when there is none.</summary>
    /// <param name="path">The file. This process alone may have it open.</param>
    /// <param name="maxBytes">Most that may wait in it; more is not taken. With what has been given back the file is at most about twice as large.</param>
    /// <param name="logger">Gets a line when something was left, or cut off.</param>
    /// <exception cref="StorageException">It cannot be opened, or is no such file.</exception>
    public static ChatLogSpill Open(string path, long maxBytes, ILogger logger) => Open(path, maxBytes, logger, OpenFile);

    /// <summary>The same, with files whose disk fails when a test says so.</summary>
    internal static ChatLogSpill Open(string path, long maxBytes, ILogger logger, Func<string, FileStream> openFile)
    {
        ArgumentNullException.ThrowIfNull(logger);
        string fullPath = Path.GetFullPath(path);
        FileStream? file = null;
        try
        {
            PrivateFolder.Create(Path.GetDirectoryName(fullPath)!);
            file = openFile(fullPath);
            var spill = new ChatLogSpill(file, maxBytes, logger);
            spill.TakeUp(fullPath);
            return spill;
        }
        catch (Exception e) when (e is StorageException || IsDiskFault(e))
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
        byte[] entry = ChatLogSpillEntry.Encode(records);
        if (FileHeadBytes + _end - _first + entry.Length > _maxBytes)
        {
            return false;
        }

        try
        {
            MakeReady();
            _file.Position = _end;
            _file.Write(entry);
        }
        catch (Exception e) when (IsDiskFault(e))
        {
            NoteFailure(e); // what was written of it is cut off before the next one
            return false;
        }

        _isFailing = false;
        _end += entry.Length;
        _entries.Enqueue((records.Count, entry.Length));
        Interlocked.Add(ref _records, records.Count);
        return true;
    }

    /// <summary>Has the disk itself hold what was added. When that fails, the system still has it.</summary>
    public void Flush()
    {
        try
        {
            _file.Flush(flushToDisk: true);
        }
        catch (Exception e) when (IsDiskFault(e))
        {
            NoteFailure(e);
        }
    }

    /// <summary>The oldest batch.</summary>
    /// <exception cref="InvalidOperationException">The file is empty.</exception>
    /// <exception cref="StorageException">It cannot be read, now.</exception>
    public IReadOnlyList<ChatRecord> ReadFirst()
    {
        byte[] content = new byte[_entries.Peek().Bytes - ChatLogSpillEntry.HeadBytes];
        try
        {
            _file.Position = _first + ChatLogSpillEntry.HeadBytes;
            _file.ReadExactly(content);
        }
        catch (Exception e) when (IsDiskFault(e))
        {
            throw new StorageException(
                StorageErrorKind.Failed,
                $"The chat log's spill file '{_file.Name}' cannot be read: {e.Message} Its messages wait in it: see to its disk. To start without them, move the file away or set another one.",
                e);
        }

        return ChatLogSpillEntry.Decode(content);
    }

    /// <summary>Forgets the oldest batch; with the last one the file is emptied, if not now then before the next is added.</summary>
    public void RemoveFirst()
    {
        (int records, long bytes) = _entries.Dequeue();
        _first += bytes;
        if (_entries.Count == 0)
        {
            _first = FileHeadBytes;
            _end = FileHeadBytes;
            try
            {
                MakeReady();
            }
            catch (Exception e) when (IsDiskFault(e))
            {
                NoteFailure(e);
            }
        }

        Interlocked.Add(ref _records, -records);
    }

    /// <summary>Gives everything to a sink, oldest first.</summary>
    /// <returns>How many records that were.</returns>
    /// <exception cref="StorageException">The file cannot be read, or the sink does not take a batch: that one and those behind it are still there.</exception>
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

    private static bool IsDiskFault(Exception e) => e is IOException or UnauthorizedAccessException;

    private static FileStream OpenFile(string path) =>
        new(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0); // a buffer would keep what the disk had no space for

    private void TakeUp(string path)
    {
        Span<byte> head = stackalloc byte[FileHeadBytes];
        int read = _file.ReadAtLeast(head, FileHeadBytes, throwOnEndOfStream: false);
        int markRead = Math.Min(read, Mark.Length);
        if (!head[..markRead].SequenceEqual(Mark[..markRead]))
        {
            throw new StorageException(StorageErrorKind.NotADatabase, $"'{path}' is no spill file of the chat log. Set another file, or move this one away.");
        }

        _start = BinaryPrimitives.ReadInt64LittleEndian(head[Mark.Length..]);
        if (read < FileHeadBytes || (_file.Length == FileHeadBytes && _start != FileHeadBytes))
        {
            // New, or killed while it was made or emptied.
            _file.SetLength(0);
            _file.Position = 0;
            _file.Write(Mark);
            WriteStart(FileHeadBytes);
            return;
        }

        // A start that cannot be is damage; the entries themselves tell whether they are whole.
        _first = _start >= FileHeadBytes && _start <= _file.Length ? _start : FileHeadBytes;
        _end = _first;
        TakeUpEntries(path);
        if (_records > 0)
        {
            StorageLog.SpillFound(_logger, path, _records);
        }
    }

    /// <summary>Takes the whole entries, each where its forerunner's length says. Those behind damaged ones move up to the others; nothing damaged is overwritten or cut off before there is a copy.</summary>
    private void TakeUpEntries(string path)
    {
        string? copy = null;
        long position = _first;
        while (TryReadEntry(position, out byte[] entry))
        {
            position += entry.Length;
            if (!ChatLogSpillEntry.IsWhole(entry))
            {
                continue;
            }

            if (position - entry.Length != _end)
            {
                copy ??= CopyRest(path);
                _file.Position = _end;
                _file.Write(entry);
            }

            int records = ChatLogSpillEntry.CountOf(entry);
            _end += entry.Length;
            _entries.Enqueue((records, entry.Length));
            _records += records;
        }

        long rest = _file.Length - _end;
        if (rest == 0)
        {
            return;
        }

        if (copy is null && position == _end && IsTornAt(position))
        {
            StorageLog.SpillCut(_logger, path, rest);
        }
        else
        {
            copy ??= CopyRest(path);
            StorageLog.SpillDamaged(_logger, path, rest, copy);
        }

        _file.SetLength(_end);
    }

    /// <returns><see langword="false"/> when what is there is no entry, or shorter than it says.</returns>
    private bool TryReadEntry(long position, out byte[] entry)
    {
        entry = [];
        int length = ReadLength(position);
        if (length < sizeof(int) || length > Math.Min(_file.Length - position, Array.MaxLength) - ChatLogSpillEntry.HeadBytes)
        {
            return false;
        }

        entry = new byte[ChatLogSpillEntry.HeadBytes + length];
        _file.Position = position;
        _file.ReadExactly(entry);
        return true;
    }

    /// <summary>Whether the last entry is one whose writing was cut short, by a kill or a full disk: nobody was told that it is there.</summary>
    private bool IsTornAt(long position)
    {
        long there = _file.Length - position - ChatLogSpillEntry.HeadBytes;
        if (there <= 0)
        {
            return true;
        }

        int length = ReadLength(position);
        if (length <= there || length > _maxBytes)
        {
            return false;
        }

        byte[] content = new byte[there];
        _file.Position = position + ChatLogSpillEntry.HeadBytes;
        _file.ReadExactly(content);
        return ChatLogSpillEntry.IsCutShort(content);
    }

    private int ReadLength(long position)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        _file.Position = position;
        return _file.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) < length.Length ? 0 : BinaryPrimitives.ReadInt32LittleEndian(length);
    }

    /// <summary>Copies what is behind the entries that are taken up.</summary>
    private string CopyRest(string path)
    {
        string copy = string.Create(CultureInfo.InvariantCulture, $"{path}.damaged-{TimeProvider.System.GetUtcNow():yyyyMMdd'T'HHmmssfff'Z'}");
        using var file = new FileStream(copy, FileMode.CreateNew, FileAccess.Write);
        _file.Position = _end;
        _file.CopyTo(file);
        file.Flush(flushToDisk: true);
        return copy;
    }

    /// <summary>Cuts off what an earlier failure has left, and moves what waits to the front when most of the file has been given back.</summary>
    private void MakeReady()
    {
        if (_file.Length > _end)
        {
            _file.SetLength(_end);
        }

        if (_first == FileHeadBytes && _start != FileHeadBytes)
        {
            WriteStart(FileHeadBytes);
        }

        long waiting = _end - _first;
        if (_first - FileHeadBytes >= Math.Max(waiting, LeastMoveBytes))
        {
            MoveToFront(waiting);
        }
    }

    // What moves fits in front of itself, so it is there twice until the file's head says where to begin, whenever the process, or the machine, ends.
    private void MoveToFront(long waiting)
    {
        WriteStart(_first);
        byte[] buffer = new byte[Math.Min(waiting, MoveBytes)];
        for (long moved = 0; moved < waiting;)
        {
            Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, waiting - moved));
            _file.Position = _first + moved;
            _file.ReadExactly(part);
            _file.Position = FileHeadBytes + moved;
            _file.Write(part);
            moved += part.Length;
        }

        _file.Flush(flushToDisk: true);
        WriteStart(FileHeadBytes);
        _first = FileHeadBytes;
        _end = FileHeadBytes + waiting;
        _file.SetLength(_end);
    }

    private void WriteStart(long start)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, start);
        _start = 0; // unknown, should this fail
        _file.Position = Mark.Length;
        _file.Write(bytes);
        _file.Flush(flushToDisk: true);
        _start = start;
    }

    private void NoteFailure(Exception exception)
    {
        if (!_isFailing)
        {
            _isFailing = true;
            StorageLog.SpillFailed(_logger, _file.Name, exception.Message);
        }
    }
}
