using Microsoft.Data.Sqlite;
using Microsoft.Extensions.Logging;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Storage.ChatLog;

/// <summary>
/// An outbox in a local SQLite file. It takes batches of the chat log while the database is away, and gives them back in order.
/// </summary>
/// <remarks>
/// <para>A killed process loses no batch that <see cref="TryAppend"/> has taken. A power cut may undo the newest ones, until
/// <see cref="Dispose"/> has returned.</para>
/// <para>A process that is killed before <see cref="RemoveFirst"/> is in the file gives the same batch again: its receiver skips the
/// records that it has (<see cref="IChatStore.AppendChatAsync"/> does).</para>
/// <para>For one thread at a time. Any thread may read <see cref="Records"/> and <see cref="IsEmpty"/>.</para>
/// </remarks>
public sealed class ChatLogSpill : IDisposable
{
    // Invariant: _waiting lists the rows that have not been given back, oldest first, and _nextId is greater than every id in the file.
    // A row that is older than the first of them has been given back. The next write that succeeds deletes it.
    private readonly Queue<(long Id, int Records)> _waiting = new();
    private readonly string _path;
    private readonly long _maxBytes;
    private readonly ILogger _logger;
    private SpillDatabase? _database; // null before the file is open
    private long _nextId = 1;
    private long _records; // the sum of _waiting, for other threads
    private bool _isFailing;

    /// <summary>Makes the object. It touches the file first in <see cref="Open()"/>, and holds no record before.</summary>
    /// <inheritdoc cref="Open(string, long, ILogger)"/>
    public ChatLogSpill(string path, long maxBytes, ILogger logger)
    {
        ArgumentNullException.ThrowIfNull(logger);
        _path = Path.GetFullPath(path);
        _maxBytes = maxBytes;
        _logger = logger;
    }

    /// <summary>Records that wait in the file.</summary>
    public long Records => Interlocked.Read(ref _records);

    /// <summary>Whether no record waits in the file.</summary>
    public bool IsEmpty => Records == 0;

    /// <summary>Tests make SQLite fail through it.</summary>
    internal SqliteConnection Connection => Database.Connection;

    private SpillDatabase Database => _database ?? throw new InvalidOperationException($"Call {nameof(Open)} before anything else.");

    private long FirstId => _waiting.TryPeek(out (long Id, int Records) first) ? first.Id : _nextId;

    /// <summary>Opens the file with what an earlier process left in it. Creates the file and its folder when they are missing.</summary>
    /// <param name="path">The file. Only this process can have it open.</param>
    /// <param name="maxBytes">
    /// Size, in bytes, at which the file takes no more, at least 64 KiB. SQLite's write-ahead log beside it takes a few megabytes more.
    /// </param>
    /// <param name="logger">Gets a line when the file holds records, and when it is damaged.</param>
    /// <exception cref="StorageException">
    /// Opening the file failed, another process has it open, or it is not a spill file. The file is unchanged.
    /// </exception>
    public static ChatLogSpill Open(string path, long maxBytes, ILogger logger)
    {
        var spill = new ChatLogSpill(path, maxBytes, logger);
        spill.Open();
        return spill;
    }

    /// <summary>Opens the file, once, before anything else is done with it.</summary>
    /// <exception cref="StorageException">
    /// Opening the file failed, another process has it open, or it is not a spill file. The file is unchanged.
    /// </exception>
    public void Open()
    {
        _database = SpillFile.Open(_path, _maxBytes, _logger);
        foreach (SpillBatch batch in _database.ReadAll())
        {
            NoteAdded(batch.Id, batch.ReadRecords().Count);
        }

        if (!IsEmpty)
        {
            StorageLog.SpillFound(_logger, _path, Records);
        }
    }

    /// <summary>Adds a batch behind the others, in one transaction.</summary>
    /// <returns>
    /// <see langword="false"/> when the file or its disk is full, or the disk fails. The file then holds what it held before.
    /// </returns>
    public bool TryAppend(IReadOnlyList<ChatRecord> records)
    {
        try
        {
            Database.DeleteBefore(FirstId); // makes space, should an earlier attempt have failed
            Database.Add(SpillBatch.Of(_nextId, records));
        }
        catch (SqliteException exception)
        {
            NoteFailure(exception);
            return false;
        }

        _isFailing = false;
        NoteAdded(_nextId, records.Count);
        return true;
    }

    /// <summary>Reads the oldest batch.</summary>
    /// <exception cref="InvalidOperationException">The file is empty.</exception>
    /// <exception cref="StorageException">The disk fails. A later call may succeed.</exception>
    public IReadOnlyList<ChatRecord> ReadFirst()
    {
        long id = _waiting.Peek().Id;
        try
        {
            return Database.Read(id).ReadRecords();
        }
        catch (SqliteException exception)
        {
            throw new StorageException(
                StorageErrorKind.Failed,
                $"Reading the chat log's spill file '{_path}' failed: {exception.Message} Its messages wait in it: check its disk. "
                + "To start without them, move the file away or set another one.",
                exception);
        }
    }

    /// <summary>Removes the oldest batch.</summary>
    /// <remarks>
    /// When the disk fails, the batch stays in the file until a later write succeeds. This object does not give it back again, but a
    /// process that opens the file before that write does.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The file is empty.</exception>
    public void RemoveFirst()
    {
        int records = _waiting.Dequeue().Records;
        try
        {
            Database.DeleteBefore(FirstId);
        }
        catch (SqliteException exception)
        {
            NoteFailure(exception);
        }

        Interlocked.Add(ref _records, -records);
    }

    /// <summary>Moves every batch to a sink, oldest first. A record that the sink refuses for good is left out and logged.</summary>
    /// <returns>How many records were moved.</returns>
    /// <exception cref="StorageException">
    /// Reading the file failed, or the sink failed. The batches that were not moved stay in the file.
    /// </exception>
    public async Task<long> ImportAsync(IChatLogSink sink, CancellationToken cancellationToken)
    {
        long imported = 0;
        while (!IsEmpty)
        {
            IReadOnlyList<ChatRecord> batch = ReadFirst();
            (_, List<(ChatRecord Record, StorageException Reason)> refused) = await SiftedWrite.RunAsync(
                batch, records => sink.WriteBatchAsync(records, cancellationToken)).ConfigureAwait(false);
            RemoveFirst();
            refused.ForEach(one => StorageLog.RecordRefused(_logger, sink.Name, one.Record, one.Reason.Message));
            imported += batch.Count - refused.Count;
        }

        return imported;
    }

    /// <summary>Closes the file, and waits until the disk has what is in it.</summary>
    public void Dispose() => _database?.Dispose();

    private void NoteAdded(long id, int records)
    {
        _waiting.Enqueue((id, records));
        _nextId = id + 1;
        Interlocked.Add(ref _records, records);
    }

    private void NoteFailure(SqliteException exception)
    {
        if (!_isFailing)
        {
            _isFailing = true;
            StorageLog.SpillFailed(_logger, SqliteErrors.Translate(exception, _path).Message);
        }
    }
}
