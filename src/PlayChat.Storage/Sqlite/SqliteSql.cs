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

    /// <summary>SQLite takes nearly all common statements as they are.</summary>
    public static StoreSql Store { get; } = new()
    {
        // The index yields its rows by falling id, so a common word costs no more than the page. Ids rise with the time of storing.
        SearchChat =
            StoreSql.SelectChat +
            """
             WHERE id IN (
                SELECT rowid FROM chat_search
                WHERE chat_search MATCH @query AND rowid < CASE WHEN @beforeRoomId = 0 THEN 9223372036854775807
                    ELSE (SELECT id FROM chat_log WHERE room_id = @beforeRoomId AND sequence = @beforeSequence) END
                ORDER BY rowid DESC LIMIT @limit)
            ORDER BY id DESC
            """,
    };

    public const string HasSearch = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'chat_search'";

    /// <summary>
    /// Makes the index of what players have said, and fills it. It keeps no text of its own, and the rooms in a column of theirs: few rooms
    /// of many are then found as quickly as a rare word. The triggers keep it right, whatever changes the log.
    /// </summary>
    public const string CreateSearch =
        """
        CREATE VIRTUAL TABLE chat_search USING fts5(room, text, content = '', tokenize = 'unicode61 remove_diacritics 0');
        INSERT INTO chat_search (rowid, room, text) SELECT id, room_id, text FROM chat_log WHERE player_id <> 0 AND text <> '';
        CREATE TRIGGER chat_search_insert AFTER INSERT ON chat_log WHEN new.player_id <> 0 AND new.text <> ''
        BEGIN
            INSERT INTO chat_search (rowid, room, text) VALUES (new.id, new.room_id, new.text);
        END;
        CREATE TRIGGER chat_search_update AFTER UPDATE OF text ON chat_log WHEN old.player_id <> 0
        BEGIN
            INSERT INTO chat_search (chat_search, rowid, room, text)
            SELECT 'delete', old.id, old.room_id, old.text WHERE old.text <> '';
            INSERT INTO chat_search (rowid, room, text) SELECT new.id, new.room_id, new.text WHERE new.text <> '';
        END;
        CREATE TRIGGER chat_search_delete AFTER DELETE ON chat_log WHEN old.player_id <> 0 AND old.text <> ''
        BEGIN
            INSERT INTO chat_search (chat_search, rowid, room, text) VALUES ('delete', old.id, old.room_id, old.text);
        END;
        """;

    public const string DropSearch =
        """
        DROP TRIGGER chat_search_insert;
        DROP TRIGGER chat_search_update;
        DROP TRIGGER chat_search_delete;
        DROP TABLE chat_search;
        """;

    public const string InsertChat =
        """
        INSERT INTO chat_log (room_id, sequence, player_id, player_name, text, sent_at, room_name, client_message_id, edited_at)
        VALUES (@roomId, @sequence, @playerId, @playerName, @text, @sentAt, @roomName, @clientMessageId, @editedAt)
        ON CONFLICT (room_id, sequence) DO UPDATE
        SET text = excluded.text, edited_at = excluded.edited_at
        WHERE excluded.edited_at IS NOT NULL AND chat_log.text <> ''
            AND (chat_log.edited_at IS NULL OR excluded.text = '' OR excluded.edited_at >= chat_log.edited_at)
        """;

    public const string RaiseRoomPosition =
        """
        INSERT INTO room (room_id, room_name, last_sequence)
        VALUES (@RoomId, @RoomName, @LastSequence)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = COALESCE(excluded.room_name, room_name), last_sequence = MAX(excluded.last_sequence, last_sequence)
        """;

    /// <summary>The steps of <see cref="ChatSchema"/>, whose first one SQLite takes in two.</summary>
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
        ALTER TABLE room ADD COLUMN room_state INTEGER NOT NULL DEFAULT 0;
        UPDATE room SET room_state = 2;
        """,
        .. new ChatSchema(
            Long: "INTEGER",
            Int: "INTEGER",
            Bool: "INTEGER",
            Time: "INTEGER",
            LongText: "TEXT",
            ShortText: "TEXT",
            ByteText: "TEXT",
            NameKey: "TEXT",
            ClaimKey: "TEXT",
            Identity: "INTEGER PRIMARY KEY AUTOINCREMENT",
            ByKey: " WITHOUT ROWID").Steps().Skip(1),
    ];

    /// <summary>
    /// Per connection. With a write-ahead log, synchronous = NORMAL never damages the file, and a killed process loses no
    /// commit; a power cut may lose the last commits. FULL costs a disk flush a commit, and keeps them.
    /// </summary>
    public static string ConfigureConnection(TimeSpan busyTimeout, bool flushesCommits) =>
        $"PRAGMA busy_timeout = {(int)busyTimeout.TotalMilliseconds}; PRAGMA synchronous = {(flushesCommits ? "FULL" : "NORMAL")}";

    /// <summary>Marks the file as this program's and at this version. Pragmas take no parameters.</summary>
    public static string MarkSchema(int version) => $"PRAGMA application_id = {ApplicationId}; PRAGMA user_version = {version}";
}
