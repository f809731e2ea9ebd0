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
        WHERE excluded.edited_at IS NOT NULL
        """;

    public const string RaiseRoomPosition =
        """
        INSERT INTO room (room_id, room_name, last_sequence)
        VALUES (@RoomId, @RoomName, @LastSequence)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = COALESCE(excluded.room_name, room_name), last_sequence = MAX(excluded.last_sequence, last_sequence)
        """;

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
        ALTER TABLE room ADD COLUMN room_state INTEGER NOT NULL DEFAULT 0;
        UPDATE room SET room_state = 2;
        """,
        """
        CREATE TABLE resume_token (
            player_id      INTEGER PRIMARY KEY REFERENCES account (id),
            newest_hash    TEXT    NOT NULL UNIQUE,
            used_hash      TEXT    NULL,
            close_is_leave INTEGER NOT NULL,
            expires_at     INTEGER NOT NULL
        );
        CREATE INDEX resume_token_used ON resume_token (used_hash);
        """,
        """
        CREATE TABLE database_owner (
            row_id     INTEGER PRIMARY KEY,
            owner_id   TEXT    NOT NULL,
            machine    TEXT    NOT NULL,
            process_id INTEGER NOT NULL,
            started_at INTEGER NOT NULL
        );
        ALTER TABLE chat_log ADD COLUMN client_message_id INTEGER NULL;
        """,
        """
        ALTER TABLE account ADD COLUMN token_version INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE resume_token ADD COLUMN token_version INTEGER NOT NULL DEFAULT 0;
        """,
        """
        CREATE TABLE ban (
            id          INTEGER PRIMARY KEY AUTOINCREMENT,
            kind        INTEGER NOT NULL,
            subject_key TEXT    NOT NULL,
            subject     TEXT    NOT NULL,
            reason      TEXT    NOT NULL,
            created_at  INTEGER NOT NULL,
            expires_at  INTEGER NULL,
            UNIQUE (kind, subject_key)
        );
        """,
        "ALTER TABLE room ADD COLUMN attributes TEXT NULL",
        """
        CREATE TABLE room_member (
            room_id         INTEGER NOT NULL,
            player_id       INTEGER NOT NULL,
            player_name     TEXT    NOT NULL,
            member_role     INTEGER NOT NULL,
            read_sequence   INTEGER NOT NULL,
            unread_mentions INTEGER NOT NULL,
            muted_until     INTEGER NULL,
            banned_until    INTEGER NULL,
            PRIMARY KEY (room_id, player_id)
        ) WITHOUT ROWID;
        CREATE INDEX room_member_player ON room_member (player_id, room_id);
        ALTER TABLE chat_log ADD COLUMN edited_at INTEGER NULL;
        """,
        """
        CREATE TABLE chat_reaction (
            room_id    INTEGER NOT NULL,
            sequence   INTEGER NOT NULL,
            emoji      TEXT    NOT NULL,
            player_id  INTEGER NOT NULL,
            reacted_at INTEGER NOT NULL,
            PRIMARY KEY (room_id, sequence, emoji, player_id)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE direct_message (
            low_id            INTEGER NOT NULL,
            high_id           INTEGER NOT NULL,
            number            INTEGER NOT NULL,
            from_id           INTEGER NOT NULL,
            text              TEXT NOT NULL,
            sent_at           INTEGER NOT NULL,
            client_message_id INTEGER NULL,
            PRIMARY KEY (low_id, high_id, number)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX direct_message_client ON direct_message (low_id, high_id, from_id, client_message_id)
            WHERE client_message_id IS NOT NULL;
        CREATE INDEX direct_message_sent ON direct_message (sent_at);
        CREATE TABLE direct_conversation (
            player_id    INTEGER NOT NULL,
            partner_id   INTEGER NOT NULL,
            partner_name TEXT NOT NULL,
            last_number  INTEGER NOT NULL,
            read_number  INTEGER NOT NULL,
            last_at      INTEGER NOT NULL,
            PRIMARY KEY (player_id, partner_id)
        ) WITHOUT ROWID;
        CREATE INDEX direct_conversation_last ON direct_conversation (player_id, last_at);
        CREATE TABLE blocked_player (
            player_id    INTEGER NOT NULL,
            blocked_id   INTEGER NOT NULL,
            blocked_name TEXT NOT NULL,
            blocked_at   INTEGER NOT NULL,
            PRIMARY KEY (player_id, blocked_id)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE session_token (
            newest_hash    TEXT    PRIMARY KEY,
            player_id      INTEGER NOT NULL REFERENCES account (id),
            used_hash      TEXT    NULL,
            close_is_leave INTEGER NOT NULL,
            expires_at     INTEGER NOT NULL,
            token_version  INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO session_token (newest_hash, player_id, used_hash, close_is_leave, expires_at, token_version)
        SELECT newest_hash, player_id, used_hash, close_is_leave, expires_at, token_version FROM resume_token;
        DROP TABLE resume_token;
        CREATE INDEX session_token_used ON session_token (used_hash);
        CREATE INDEX session_token_player ON session_token (player_id);
        """,
        """
        CREATE TABLE login_token (
            id             INTEGER PRIMARY KEY,
            player_id      INTEGER NOT NULL REFERENCES account (id),
            newest_hash    TEXT NOT NULL,
            used_hash      TEXT NULL,
            token_version  INTEGER NOT NULL,
            created_at     INTEGER NOT NULL,
            used_at        INTEGER NOT NULL,
            client_version TEXT NOT NULL
        );
        CREATE INDEX login_token_player ON login_token (player_id);
        CREATE INDEX login_token_used ON login_token (used_at);
        ALTER TABLE session_token ADD COLUMN login_token_id INTEGER NOT NULL DEFAULT 0;
        """,
        """
        CREATE TABLE room_report (
            id            INTEGER PRIMARY KEY AUTOINCREMENT,
            room_id       INTEGER NOT NULL,
            room_name     TEXT NOT NULL,
            sequence      INTEGER NOT NULL,
            reporter_id   INTEGER NOT NULL,
            reporter_name TEXT NOT NULL,
            reason        TEXT NOT NULL,
            reported_at   INTEGER NOT NULL,
            said_at       INTEGER NOT NULL,
            resolved_at   INTEGER NULL,
            resolver_id   INTEGER NULL,
            note          TEXT NULL,
            UNIQUE (room_id, sequence, reporter_id)
        );
        CREATE INDEX room_report_reporter ON room_report (reporter_id);
        CREATE INDEX room_report_said ON room_report (said_at);
        CREATE TABLE report_line (
            report_id   INTEGER NOT NULL,
            sequence    INTEGER NOT NULL,
            player_id   INTEGER NOT NULL,
            player_name TEXT NOT NULL,
            text        TEXT NOT NULL,
            sent_at     INTEGER NOT NULL,
            PRIMARY KEY (report_id, sequence)
        );
        CREATE INDEX report_line_player ON report_line (player_id);
        CREATE INDEX report_line_sent ON report_line (sent_at);
        """,
        """
        CREATE TABLE room_claim (
            claim_key  TEXT PRIMARY KEY,
            room_id    INTEGER NOT NULL,
            creator_id INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX room_claim_room ON room_claim (room_id);
        CREATE INDEX room_claim_creator ON room_claim (creator_id);
        """,
        """
        CREATE TABLE room_mention (
            room_id   INTEGER NOT NULL,
            player_id INTEGER NOT NULL,
            sequence  INTEGER NOT NULL,
            PRIMARY KEY (room_id, player_id, sequence)
        ) WITHOUT ROWID;
        ALTER TABLE room_member DROP COLUMN unread_mentions;
        """,
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
