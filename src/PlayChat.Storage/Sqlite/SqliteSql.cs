namespace PlayChat.Storage.Sqlite;

/// <summary>Every SQL statement of the SQLite store.</summary>
/// <remarks>
/// Times are integers: microseconds since 1970-01-01 UTC. To read one by hand:
/// <c>SELECT datetime(sent_at / 1000000, 'unixepoch') FROM chat_log</c>.
/// </remarks>
internal static class SqliteSql
{
    /// <summary>Marks the file as ours: "PLCH" in ASCII.</summary>
    public const int ApplicationId = 0x504C4348;

    public const string UseWriteAheadLog = "PRAGMA journal_mode = WAL";

    public const string ReadApplicationId = "PRAGMA application_id";

    public const string ReadSchemaVersion = "PRAGMA user_version";

    public const string CountTables = "SELECT COUNT(*) FROM sqlite_master";

    public const string FindAccount = SelectAccount + " WHERE name_key = @nameKey";

    public const string ListAccounts = SelectAccount + " WHERE id > @afterId ORDER BY id LIMIT @limit";

    public const string InsertAccount =
        """
        INSERT INTO account (name, name_key, password_hash, created_at)
        VALUES (@name, @nameKey, @passwordHash, @createdAt)
        ON CONFLICT (name_key) DO NOTHING
        """;

    public const string UpdateLastLogin = "UPDATE account SET last_login_at = @lastLoginAt WHERE id = @accountId";

    public const string UpdatePasswordHash = "UPDATE account SET password_hash = @passwordHash WHERE id = @accountId";

    public const string SetAccountDisabled = "UPDATE account SET disabled = @disabled WHERE id = @accountId";

    public const string InsertChat =
        """
        INSERT INTO chat_log (room_id, sequence, player_id, player_name, text, sent_at, room_name)
        VALUES (@roomId, @sequence, @playerId, @playerName, @text, @sentAt, @roomName)
        ON CONFLICT (room_id, sequence) DO NOTHING
        """;

    public const string RaiseRoomPosition =
        """
        INSERT INTO room (room_id, room_name, last_sequence)
        VALUES (@RoomId, @RoomName, @LastSequence)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = COALESCE(excluded.room_name, room_name), last_sequence = MAX(excluded.last_sequence, last_sequence)
        """;

    public const string SaveRoom =
        """
        INSERT INTO room (room_id, room_name, last_sequence, created_at)
        VALUES (@roomId, @roomName, 0, @createdAt)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = excluded.room_name, created_at = COALESCE(created_at, excluded.created_at)
        """;

    public const string ReadChatBefore = SelectChat +
        """
         WHERE room_id = @roomId AND sequence < @bound
        ORDER BY sequence DESC
        LIMIT @limit
        """;

    public const string ReadChatAfter = SelectChat +
        """
         WHERE room_id = @roomId AND sequence > @bound
        ORDER BY sequence
        LIMIT @limit
        """;

    public const string LastRoomId = "SELECT COALESCE(MAX(room_id), 0) FROM room";

    public const string RoomPosition = SelectRoom + " WHERE room_id = @roomId";

    public const string RoomPositions = SelectRoom + " WHERE room_id > @afterRoomId ORDER BY room_id LIMIT @limit";

    /// <summary>Step n brings a database from version n to n + 1. Released steps never change; add at the end.</summary>
    public static readonly IReadOnlyList<string> Migrations =
    [
        """
        CREATE TABLE account (
            id            INTEGER PRIMARY KEY AUTOINCREMENT,
            name          TEXT    NOT NULL,
            name_key      TEXT    NOT NULL UNIQUE,
            password_hash TEXT    NULL,
            created_at    INTEGER NOT NULL,
            last_login_at INTEGER NULL
        );
        CREATE TABLE chat_log (
            id          INTEGER PRIMARY KEY,
            room_id     INTEGER NOT NULL,
            sequence    INTEGER NOT NULL,
            player_id   INTEGER NOT NULL,
            player_name TEXT    NOT NULL,
            text        TEXT    NOT NULL,
            sent_at     INTEGER NOT NULL,
            room_name   TEXT    NULL,
            UNIQUE (room_id, sequence)
        );
        CREATE TABLE room (
            room_id       INTEGER PRIMARY KEY,
            room_name     TEXT    NULL,
            last_sequence INTEGER NOT NULL
        );
        """,
        """
        ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE room ADD COLUMN created_at INTEGER NULL;
        """,
    ];

    private const string SelectAccount =
        """
        SELECT id AS Id, name AS Name, password_hash AS PasswordHash, created_at AS CreatedAt, last_login_at AS LastLoginAt, disabled AS Disabled
        FROM account
        """;

    private const string SelectChat =
        """
        SELECT room_id AS RoomId, sequence AS Sequence, player_id AS PlayerId, player_name AS PlayerName, text AS Text,
               sent_at AS SentAt, room_name AS RoomName
        FROM chat_log
        """;

    private const string SelectRoom = "SELECT room_id AS RoomId, room_name AS RoomName, last_sequence AS LastSequence, created_at AS CreatedAt FROM room";

    /// <summary>
    /// Per connection. With a write-ahead log, synchronous = NORMAL never damages the file, and a killed process loses no
    /// commit; a power cut may lose the last commits. FULL would cost a disk flush a batch.
    /// </summary>
    public static string ConfigureConnection(TimeSpan busyTimeout) =>
        $"PRAGMA busy_timeout = {(int)busyTimeout.TotalMilliseconds}; PRAGMA synchronous = NORMAL";

    /// <summary>Marks the file as this program's and at this version. Pragmas take no parameters.</summary>
    public static string MarkSchema(int version) => $"PRAGMA application_id = {ApplicationId}; PRAGMA user_version = {version}";
}
