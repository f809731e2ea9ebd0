using Dapper;
using Microsoft.Data.Sqlite;
using PlayChat.Storage;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Webhooks;

/// <summary>The requests that targets do not have yet, and the dead letters, in a SQLite file.</summary>
/// <remarks>
/// <para>Each method that writes is one transaction. <see cref="Add"/> waits for the disk: not even a power cut undoes it. The others do
/// not wait; what a power cut undoes of them is sent again.</para>
/// <para>Invariant: a row of <c>room</c> stands for each target and room that has a request which is no dead letter. Its requests are sent
/// in the order of their numbers, the next one when the row is due.</para>
/// <para>Times are milliseconds since 1970. Thread-safe: SQLite's connection takes one call at a time, so a lock is held during it.</para>
/// </remarks>
internal sealed class WebhookOutbox : IDisposable
{
    /// <summary>Marks the file: "PLWH" in ASCII. Other files of the server have other marks.</summary>
    private const int ApplicationId = 0x504C5748;

    // AUTOINCREMENT never uses a number again, so an operator that has read a number means that request. The body is last: SQLite reads
    // through a large value to reach what is behind it.
    private const string Schema =
        """
        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, room INTEGER NOT NULL, id TEXT NOT NULL,
            messages INTEGER NOT NULL, created INTEGER NOT NULL, failed INTEGER NULL, error TEXT NULL, body BLOB NOT NULL,
            UNIQUE (target, id)
        ) STRICT;
        CREATE INDEX waiting ON delivery (target, room, number) WHERE error IS NULL;
        CREATE INDEX age ON delivery (target, created) WHERE error IS NULL;
        CREATE INDEX dead ON delivery (number) WHERE error IS NOT NULL;
        CREATE TABLE room (
            target TEXT NOT NULL, room INTEGER NOT NULL, due INTEGER NOT NULL, failures INTEGER NOT NULL, PRIMARY KEY (target, room)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX due ON room (target, due);
        """;

    private const string WaitingInRoom =
        "SELECT 1 FROM delivery WHERE delivery.target = room.target AND delivery.room = room.room AND error IS NULL";

    private const string ContinueRoom =
        $"""
        UPDATE room SET due = @now, failures = 0 WHERE target = @target AND room = @room;
        DELETE FROM room WHERE target = @target AND (@room IS NULL OR room = @room) AND NOT EXISTS ({WaitingInRoom});
        """;

    private const string IsMeant = "error IS NOT NULL AND (@number IS NULL OR number = @number) AND (@target IS NULL OR target = @target)";

    private readonly object _gate = new();
    private readonly string _path;
    private readonly SqliteConnection _connection;

    public WebhookOutbox(string path)
    {
        _path = Path.GetFullPath(path);
        _connection = SqliteFile.Connect(_path);
    }

    /// <summary>Tests make SQLite fail through it.</summary>
    internal SqliteConnection Connection => _connection;

    /// <summary>Opens the file, or makes it, for this process alone. What waits is due at once.</summary>
    /// <returns>How many requests are for targets that are not there any more. They become dead letters.</returns>
    /// <exception cref="StorageException">Opening the file failed, another process has it open, or it is none of these files.</exception>
    public int Open(IReadOnlyCollection<string> targets, long maxBytes, long now)
    {
        try
        {
            PrivateFolder.Create(Path.GetDirectoryName(_path)!);
            PrivateFolder.CreateFile(_path);
            _connection.Open();
            SqliteFile.PrepareOutbox(_connection, ApplicationId, Schema, maxBytes, () => SqliteErrors.Foreign(_path));
            SqliteDamageCheck.Run(_connection, _path, TimeSpan.MaxValue);
            Write(
                $"UPDATE room SET due = 0; DELETE FROM room WHERE target NOT IN @targets OR NOT EXISTS ({WaitingInRoom})", new { targets });
            return Write(
                """
                UPDATE delivery SET failed = @now, error = 'The settings have no such target.'
                WHERE error IS NULL AND target NOT IN @targets
                """,
                new { targets, now });
        }
        catch (SqliteException exception)
        {
            throw SqliteErrors.Translate(exception, _path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw SqliteErrors.NotWritable(_path, exception);
        }
    }

    /// <summary>Adds requests behind the others, for each target. One that is there already, or is a dead letter, is left out.</summary>
    /// <exception cref="StorageException">The file is full, or the disk fails. Nothing was added.</exception>
    public void Add(IEnumerable<string> targets, IReadOnlyList<MessageBatch> batches, long now)
    {
        try
        {
            Write(
                """
                INSERT INTO delivery (target, room, id, messages, body, created)
                VALUES (@target, @Room, @Id, @Messages, @Body, @now) ON CONFLICT DO NOTHING;
                INSERT INTO room (target, room, due, failures) SELECT @target, @Room, @now, 0 WHERE EXISTS (
                    SELECT 1 FROM delivery WHERE target = @target AND room = @Room AND error IS NULL) ON CONFLICT DO NOTHING;
                """,
                targets.SelectMany(target => batches.Select(
                    batch => new { target, batch.Room, batch.Id, batch.Messages, batch.Body, now })).ToList(),
                waitForDisk: true);
        }
        catch (SqliteException exception)
        {
            throw SqliteErrors.Translate(exception, _path);
        }
    }

    /// <summary>Finds the next request of a target, in a room that is not busy.</summary>
    /// <returns>The request; or when the first is due; or neither when there is none.</returns>
    public (Delivery? Next, long? Due) Find(string target, IReadOnlyCollection<long> busy, long now)
    {
        lock (_gate)
        {
            (long room, long due, long failures) = _connection.Query<(long Room, long, long)>(
                "SELECT room, due, failures FROM room WHERE target = @target ORDER BY due LIMIT @limit",
                new { target, limit = busy.Count + 1 }).FirstOrDefault(row => !busy.Contains(row.Room), (0, long.MaxValue, 0));
            return due > now
                ? (null, due == long.MaxValue ? null : due)
                : (_connection.QuerySingle<Delivery>(
                    """
                    SELECT number, room, id, body, created, @failures AS failures FROM delivery
                    WHERE target = @target AND room = @room AND error IS NULL ORDER BY number LIMIT 1
                    """,
                    new { target, room, failures }), null);
        }
    }

    /// <summary>Removes a request that the target has accepted. The next one of the room is due.</summary>
    public void Remove(string target, Delivery delivery, long now) => Write(
        $"DELETE FROM delivery WHERE number = @number; {ContinueRoom}",
        new { target, number = delivery.Number, room = delivery.Room, now });

    /// <summary>Lets the room of a request that has failed wait.</summary>
    public void Postpone(string target, Delivery delivery, long due) => Write(
        "UPDATE room SET due = @due, failures = failures + 1 WHERE target = @target AND room = @room",
        new { target, room = delivery.Room, due });

    /// <summary>Makes dead letters: of one request, or, without one, of the target's requests that are too old.</summary>
    /// <returns>How many there were.</returns>
    public int GiveUp(string target, Delivery? only, long oldest, string error, long now, int maxDeadLetters)
    {
        var values = new { target, number = only?.Number, room = only?.Room, oldest, error, now, maxDeadLetters };
        return Write(
            $"""
            UPDATE delivery SET failed = @now, error = @error
            WHERE error IS NULL AND target = @target AND {(only is null ? "created <= @oldest" : "number = @number")}
            """,
            values,
            then: $"""
            {ContinueRoom}
            DELETE FROM delivery WHERE error IS NOT NULL AND number <= (
                SELECT number FROM delivery WHERE error IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET @maxDeadLetters)
            """);
    }

    public (long Waiting, long? Oldest, long DeadLetters) Count(string target)
    {
        lock (_gate)
        {
            return _connection.QuerySingle<(long, long?, long)>(
                """
                SELECT count(*), min(created), (SELECT count(*) FROM delivery WHERE error IS NOT NULL AND target = @target)
                FROM delivery WHERE error IS NULL AND target = @target
                """,
                new { target });
        }
    }

    public IReadOnlyList<DeadLetter> ListDeadLetters(string? target, long after, int limit)
    {
        lock (_gate)
        {
            return
            [
                .. _connection.Query<(long Number, string Target, string Id, long Room, long Messages, long Came, long Died, string Error)>(
                    """
                    SELECT number, target, id, room, messages, created, failed, error FROM delivery
                    WHERE error IS NOT NULL AND number > @after AND (@target IS NULL OR target = @target) ORDER BY number LIMIT @limit
                    """,
                    new { target, after, limit }).Select(static row => new DeadLetter(
                        row.Number, row.Target, row.Id, row.Room, row.Messages, DateTimeOffset.FromUnixTimeMilliseconds(row.Came),
                        DateTimeOffset.FromUnixTimeMilliseconds(row.Died), row.Error)),
            ];
        }
    }

    /// <summary>Makes dead letters wait again, before newer requests of their rooms. Those of targets that are gone stay.</summary>
    public int Retry(IReadOnlyCollection<string> targets, string? target, long? number, long now) => Write(
        $"UPDATE delivery SET failed = NULL, error = NULL, created = @now WHERE {IsMeant} AND target IN @targets",
        new { targets, target, number, now },
        then: """
        INSERT INTO room (target, room, due, failures)
        SELECT DISTINCT target, room, @now, 0 FROM delivery WHERE error IS NULL AND created = @now ON CONFLICT DO NOTHING
        """);

    public int DeleteDeadLetters(string? target, long? number) =>
        Write($"DELETE FROM delivery WHERE {IsMeant}", new { target, number });

    /// <summary>Closes the file. SQLite then moves its write-ahead log into the file and waits for the disk.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _connection.Dispose();
        }
    }

    /// <returns>How many rows the first part has changed. The second part runs if there was one.</returns>
    private int Write(string sql, object values, string? then = null, bool waitForDisk = false)
    {
        lock (_gate)
        {
            _connection.Execute(waitForDisk ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");

            // Not the driver's transaction: when COMMIT finds the disk full, that one stays on the connection and fails all that follow.
            _connection.Execute("BEGIN IMMEDIATE");
            try
            {
                int rows = _connection.Execute(sql, values);
                if (then is not null && rows > 0)
                {
                    _connection.Execute(then, values);
                }

                _connection.Execute("COMMIT");
                return rows;
            }
            catch
            {
                Transactions.RollBack(_connection);
                throw;
            }
        }
    }

    /// <summary>A request: messages of one room for one target. Its failures are those of its room, in a row.</summary>
    internal sealed record Delivery(long Number, long Room, string Id, byte[] Body, long Created, long Failures);
}
